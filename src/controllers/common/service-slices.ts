// Upstream: k8s.io/endpointslice/util/endpointslice_tracker.go
import { isReason } from '../../machinery/errors.ts';
import type { EndpointSlice } from '../../schema/types/discovery-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from './client.ts';
import { IndexOf } from './index-of.ts';
import type { Informer } from './informer.ts';
import { listOf } from './pages.ts';
import { UnseenWrites } from './unseen-writes.ts';

export type SliceObject = EndpointSlice & KubeObject;

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** A slice has up to 1,000 endpoints. */
const slicesInPage = 20;

export interface ServiceSlicesOptions {
  readonly client: Client;
  readonly slices: Informer<SliceObject>;
  /** of which controller */
  readonly managedBy: string;
  /** slices of the service have changed */
  readonly changed: (service: string) => void;
}

/** The EndpointSlices of one controller, by the service that they are for, its own writes included. */
export class ServiceSlices implements Disposable {
  readonly #options: ServiceSlicesOptions;
  readonly #unseen = new UnseenWrites();
  readonly #byService: IndexOf<SliceObject>;
  readonly #subscription: Disposable;

  constructor(options: ServiceSlicesOptions) {
    this.#options = options;
    const { slices, changed } = options;
    this.#byService = new IndexOf(slices, (slice) => this.#serviceOf(slice));
    this.#subscription = slices.subscribe({
      changed: (slice, old) => {
        this.#unseen.saw(slice);
        for (const key of new Set([this.#serviceOf(slice), old && this.#serviceOf(old)])) if (key !== undefined) changed(key);
      },
      deleted: (slice) => {
        const key = this.#serviceOf(slice);
        this.#unseen.sawDeleted(key, slice);
        if (key !== undefined) changed(key);
      },
    });
  }

  /** As the informer has them, or the server where that one is behind. */
  async of(key: string): Promise<SliceObject[]> {
    if (!this.#unseen.has(key)) return [...this.#byService.get(key)];
    const [namespace = '', name = ''] = key.split('/');
    const labelSelector = `${serviceNameLabel}=${name},${managedByLabel}=${this.#options.managedBy}`;
    const path = `${slicesPath(namespace)}?${new URLSearchParams({ labelSelector })}`;
    return listOf(this.#options.client, path, { pageSize: slicesInPage });
  }

  async create(key: string, slice: SliceObject): Promise<void> {
    this.#unseen.wrote(key, await this.#options.client.create(slicesPath(slice.metadata.namespace), slice));
  }

  async update(key: string, slice: SliceObject): Promise<void> {
    this.#unseen.wrote(key, await this.#options.client.update(pathOf(slice), slice));
  }

  async delete(key: string, slice: SliceObject): Promise<void> {
    const { uid = '' } = slice.metadata;
    this.#unseen.deletes(key, uid);
    try {
      await this.#options.client.delete(pathOf(slice), { propagationPolicy: 'Background', preconditions: { uid } });
    } catch (error) {
      this.#unseen.sawDeleted(key, slice);
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  /** The service is gone. */
  forget(key: string): void {
    this.#unseen.forget(key);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#byService[Symbol.dispose]();
  }

  #serviceOf({ metadata }: SliceObject): string | undefined {
    const { [serviceNameLabel]: name, [managedByLabel]: manager } = metadata.labels ?? {};
    return manager === this.#options.managedBy && name ? `${metadata.namespace}/${name}` : undefined;
  }
}

function slicesPath(namespace = ''): string {
  return `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
}

function pathOf({ metadata }: SliceObject): string {
  return `${slicesPath(metadata.namespace)}/${metadata.name}`;
}
