// Upstream: apiserver/pkg/admission/configuration/{mutating,validating}_webhook_manager.go
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { Candidate } from '../../../server/admission/matching/endpoint-index.ts';
import { EndpointIndex } from '../../../server/admission/matching/endpoint-index.ts';
import type { ResourcesAlike } from '../../../server/admission/matching/match-criteria.ts';
import type { Cluster } from '../../../server/registry/cluster.ts';
import { Derived } from '../../../server/registry/derived.ts';
import type { StoredEntry } from '../../../server/registry/entry.ts';
import type { WebhookConfiguration } from './webhook.ts';
import { Webhook } from './webhook.ts';

const group = 'admissionregistration.k8s.io';

/** The webhooks of all configurations of a kind, as they are now. */
export class WebhookSource {
  readonly #plural: string;
  /** for as long as the configuration is stored */
  readonly #made = new WeakMap<StoredEntry, readonly Webhook[]>();
  readonly #index: Derived<EndpointIndex<Webhook>>;
  #positions: ReadonlyMap<Webhook, number> = new Map();

  constructor(cluster: Cluster, plural: string) {
    this.#plural = plural;
    const alike: ResourcesAlike = ({ names }) => cluster.resourcesAlike(names.group, names.plural);
    this.#index = new Derived(cluster, { group, plurals: [plural] }, () => this.#load(alike));
  }

  /** Whether there may be webhooks for a request; cheap, and true while that is not known. */
  mayConcern(attributes: AdmissionAttributes): boolean {
    const { current } = this.#index;
    return current === undefined || current.candidates(attributes).length > 0;
  }

  /** Webhooks whose rules meet the request: by the name of their configuration, then in its order. */
  async candidates(attributes: AdmissionAttributes): Promise<readonly Candidate<Webhook>[]> {
    return (await this.#index.get()).candidates(attributes);
  }

  /** Which one of all webhooks it is. */
  positionOf(webhook: Webhook): number {
    return this.#positions.get(webhook) ?? 0;
  }

  #load(alike: ResourcesAlike): EndpointIndex<Webhook> {
    const webhooks = [...this.#list()];
    this.#positions = new Map(webhooks.map((webhook, position) => [webhook, position]));
    return new EndpointIndex(webhooks, alike);
  }

  *#list(): Generator<Webhook> {
    for (const entry of this.#index.entries(this.#plural)) {
      let made = this.#made.get(entry);
      if (made === undefined) {
        const { metadata, webhooks = [] } = JSON.parse(entry.text()) as WebhookConfiguration;
        this.#made.set(entry, (made = webhooks.map((spec) => new Webhook(metadata.name ?? '', spec))));
      }
      yield* made;
    }
  }
}
