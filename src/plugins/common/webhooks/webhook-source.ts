// Upstream: apiserver/pkg/admission/configuration/{mutating,validating}_webhook_manager.go
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { Candidate } from '../../../server/admission/matching/endpoint-index.ts';
import { EndpointIndex } from '../../../server/admission/matching/endpoint-index.ts';
import type { ResourcesAlike } from '../../../server/admission/matching/match-criteria.ts';
import type { Cluster } from '../../../server/registry/cluster.ts';
import type { StoredEntry } from '../../../server/registry/entry.ts';
import type { WatchSink } from '../../../storage/cache/types.ts';
import type { WebhookConfiguration } from './webhook.ts';
import { Webhook } from './webhook.ts';

const group = 'admissionregistration.k8s.io';

/** The webhooks of all configurations of a kind, as they are now: any change of one makes the next request look again. */
export class WebhookSource {
  readonly #cluster: Cluster;
  readonly #plural: string;
  readonly #alike: ResourcesAlike;
  /** for as long as the configuration is stored */
  readonly #made = new WeakMap<StoredEntry, readonly Webhook[]>();
  #index: EndpointIndex<Webhook> | undefined;
  #positions: ReadonlyMap<Webhook, number> = new Map();
  #following: Promise<void> | undefined;

  constructor(cluster: Cluster, plural: string) {
    this.#cluster = cluster;
    this.#plural = plural;
    this.#alike = ({ names }) => cluster.resourcesAlike(names.group, names.plural);
  }

  /** Whether there may be webhooks for a request; cheap, and true while that is not known. */
  mayConcern(attributes: AdmissionAttributes): boolean {
    return this.#index === undefined || this.#index.candidates(attributes).length > 0;
  }

  /** Webhooks whose rules meet the request: by the name of their configuration, then in its order. */
  async candidates(attributes: AdmissionAttributes): Promise<readonly Candidate<Webhook>[]> {
    if (this.#index === undefined) {
      await (this.#following ??= this.#follow());
      this.#index ??= this.#load();
    }
    return this.#index.candidates(attributes);
  }

  /** Which one of all webhooks it is. */
  positionOf(webhook: Webhook): number {
    return this.#positions.get(webhook) ?? 0;
  }

  async #follow(): Promise<void> {
    const { store, keyPrefix } = this.#cluster.resource(group, this.#plural);
    await store.cache.ready();
    const sink: WatchSink<StoredEntry> = {
      event: () => void (this.#index = undefined),
      bookmark: () => {},
      end: () => {
        this.#index = undefined;
        this.#following = undefined;
      },
    };
    store.cache.watch({ prefix: keyPrefix, matches: () => true, from: 'now', bookmarks: false, sink });
  }

  #load(): EndpointIndex<Webhook> {
    const webhooks = [...this.#list()];
    this.#positions = new Map(webhooks.map((webhook, position) => [webhook, position]));
    return new EndpointIndex(webhooks, this.#alike);
  }

  *#list(): Generator<Webhook> {
    const { store, keyPrefix } = this.#cluster.resource(group, this.#plural);
    for (const entry of store.cache.list({ prefix: keyPrefix }).items) {
      let made = this.#made.get(entry);
      if (made === undefined) {
        const { metadata, webhooks = [] } = store.parse(entry) as WebhookConfiguration;
        this.#made.set(entry, (made = webhooks.map((spec) => new Webhook(metadata.name ?? '', spec))));
      }
      yield* made;
    }
  }
}
