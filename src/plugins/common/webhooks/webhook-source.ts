// Upstream: k8s.io/apiserver/pkg/admission/configuration/{mutating,validating}_webhook_manager.go
import { ReloadObserver } from '../../../base/reload-metrics.ts';
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { Candidate } from '../../../server/admission/matching/endpoint-index.ts';
import { EndpointIndex } from '../../../server/admission/matching/endpoint-index.ts';
import type { EquivalentResources } from '../../../server/admission/matching/match-criteria.ts';
import { isExemptFromWebhooks } from '../../../server/admission/matching/exempt.ts';
import type { PluginContext } from '../../../server/admission/plugin.ts';
import type { WebhookCredentials } from '../../../server/webhook/credentials.ts';
import { loadWebhookCredentials } from '../../../server/webhook/credentials.ts';
import { Derived } from '../../../server/registry/derived.ts';
import type { StoredEntry } from '../../../server/registry/entry.ts';
import { readStaticConfiguration } from '../static-manifests/configuration.ts';
import type { ManifestFile } from '../static-manifests/manifest-files.ts';
import { StaticManifests } from '../static-manifests/static-manifests.ts';
import { readStaticObjects } from '../static-manifests/static-objects.ts';
import { staticWebhookProblem } from './static-webhooks.ts';
import type { WebhookConfiguration } from './webhook.ts';
import { Webhook } from './webhook.ts';

const group = 'admissionregistration.k8s.io';

/** The webhooks of all configurations of a kind, as they are now: first those in files, then those of the API. */
export class WebhookSource implements Disposable {
  /** our client certificates for webhooks; undefined: none */
  readonly credentials: WebhookCredentials | undefined;
  readonly #plural: string;
  readonly #equivalentTo: EquivalentResources;
  /** for as long as the configuration is stored */
  readonly #made = new WeakMap<StoredEntry, readonly Webhook[]>();
  readonly #index: Derived<EndpointIndex<Webhook>>;
  readonly #static: StaticManifests<readonly Webhook[]> | undefined;
  #staticIndex: EndpointIndex<Webhook> | undefined;
  #positions: ReadonlyMap<Webhook, number> = new Map();

  constructor(context: PluginContext, plural: string) {
    const { reader, configuration, features, writer, clock, log, metrics, serverId } = context;
    this.#plural = plural;
    this.#equivalentTo = ({ names }) => reader.equivalentResources(names.group, names.plural);
    this.#index = new Derived(reader, { group, plurals: [plural] }, () => this.#load());
    const fields = ['kubeConfigFile', 'staticManifestsDir'] as const;
    const configured = readStaticConfiguration(configuration, 'WebhookAdmissionConfiguration', fields, features);
    const { kubeConfigFile, staticManifestsDir: directory } = configured;
    this.credentials = kubeConfigFile === '' ? undefined : loadWebhookCredentials(kubeConfigFile);
    if (directory === '') return;
    const resources = [reader.resource(group, plural)];
    const read = (files: readonly ManifestFile[]): Webhook[] =>
      [...readStaticObjects(files, { resources, writer, problem: staticWebhookProblem }).values()].flat().flatMap(webhooksOf);
    const plugin = plural === 'mutatingwebhookconfigurations' ? 'MutatingAdmissionWebhook' : 'ValidatingAdmissionWebhook';
    const observer = new ReloadObserver(metrics, { of: 'manifest_admission', serverId, plugin });
    this.#static = new StaticManifests({ directory, read, clock, log, observer });
    this.#static.subscribe(() => {
      this.#staticIndex = undefined;
      this.#index.invalidate();
    });
  }

  async ready(): Promise<void> {
    await this.#index.get();
  }

  [Symbol.dispose](): void {
    this.#static?.[Symbol.dispose]();
  }

  /** Whether there may be webhooks for a request; cheap, and true while that is not known. */
  mayConcern(attributes: AdmissionAttributes): boolean {
    const index = isExemptFromWebhooks(attributes.resource) ? this.#inFiles : this.#index.current;
    return index === undefined || index.candidates(attributes).length > 0;
  }

  /** Webhooks whose rules meet the request: by the name of their configuration, then in its order. */
  async candidates(attributes: AdmissionAttributes): Promise<readonly Candidate<Webhook>[]> {
    const index = isExemptFromWebhooks(attributes.resource) ? this.#inFiles : await this.#index.get();
    return index.candidates(attributes);
  }

  /** Which one of all webhooks it is. */
  positionOf(webhook: Webhook): number {
    return this.#positions.get(webhook) ?? 0;
  }

  get #inFiles(): EndpointIndex<Webhook> {
    return (this.#staticIndex ??= new EndpointIndex(this.#static?.current ?? [], this.#equivalentTo));
  }

  #load(): EndpointIndex<Webhook> {
    const webhooks = [...(this.#static?.current ?? []), ...this.#list()];
    this.#positions = new Map(webhooks.map((webhook, position) => [webhook, position]));
    return new EndpointIndex(webhooks, this.#equivalentTo);
  }

  *#list(): Generator<Webhook> {
    for (const entry of this.#index.entries(this.#plural)) {
      let made = this.#made.get(entry);
      if (made === undefined) this.#made.set(entry, (made = webhooksOf(JSON.parse(entry.text()) as WebhookConfiguration)));
      yield* made;
    }
  }
}

function webhooksOf({ metadata, webhooks = [] }: WebhookConfiguration): Webhook[] {
  return webhooks.map((spec) => new Webhook(metadata.name ?? '', spec));
}
