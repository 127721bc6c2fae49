// Upstream: k8s.io/kubernetes/pkg/controller/namespace/deletion/namespaced_resources_deleter.go
import { append } from '../../machinery/append.ts';
import { isReason } from '../../machinery/errors.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from '../common/client.ts';
import { metadataListForm } from '../common/client.ts';
import { pagesOf } from '../common/pages.ts';
import type { ServedResource } from '../common/served-resources.ts';
import { discover, preferred, resourcePath } from '../common/served-resources.ts';
import type { Findings } from './conditions.ts';

/** What an attempt to empty a namespace came to. */
export interface Emptied extends Findings {
  /** resources that have objects still */
  readonly left: readonly ServedResource[];
  /** how long objects that are left may take, for reasons that are known; 0: nothing is waited for */
  readonly estimateSeconds: number;
}

interface Terminating {
  readonly name: string;
  /** milliseconds since it was deleted */
  readonly forMs: number;
}

interface Outcome {
  readonly items: readonly KubeObject[];
  readonly estimateSeconds: number;
  readonly failure?: string;
}

/** assumed for the controller that has to remove a finalizer */
const finalizerEstimateSeconds = 15;

/** Deletes what is in a namespace: pods first, and nothing else before they are gone, since they may need the rest to end well. */
export async function emptyNamespace(client: Client, namespace: Terminating): Promise<Emptied> {
  const { resources, unknown } = await discover(client);
  const deletable = preferred(resources).filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'));
  const attempt = new Attempt(client, namespace, new Map(unknown.map((one) => [one, `stale GroupVersion discovery: ${one}`])));
  const pods = deletable.filter(isPods);
  await attempt.deleteAll(pods);
  if (attempt.left.length > 0) return attempt.withoutTotals();
  await attempt.deleteAll(deletable.filter((resource) => !isPods(resource)));
  return attempt;
}

class Attempt implements Emptied {
  readonly undiscovered: ReadonlyMap<string, string>;
  readonly failures: string[] = [];
  readonly remaining = new Map<string, number>();
  readonly finalizers = new Map<string, number>();
  readonly left: ServedResource[] = [];
  estimateSeconds = 0;
  readonly #client: Client;
  readonly #namespace: Terminating;

  constructor(client: Client, namespace: Terminating, undiscovered: ReadonlyMap<string, string>) {
    this.#client = client;
    this.#namespace = namespace;
    this.undiscovered = undiscovered;
  }

  async deleteAll(resources: readonly ServedResource[]): Promise<void> {
    for (const resource of resources) {
      try {
        this.#note(resource, await this.#delete(resource));
      } catch (error) {
        this.failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** A quirk: while pods are left, conditions do not say what remains. */
  withoutTotals(): Emptied {
    const { undiscovered, failures, left, estimateSeconds } = this;
    return { undiscovered, failures, left, estimateSeconds, remaining: new Map(), finalizers: new Map() };
  }

  #note(resource: ServedResource, { items, estimateSeconds, failure }: Outcome): void {
    this.estimateSeconds = Math.max(this.estimateSeconds, estimateSeconds);
    if (failure !== undefined) this.failures.push(failure);
    if (items.length === 0) return;
    this.left.push(resource);
    this.remaining.set(`${resource.resource}.${resource.group}`, items.length);
    for (const { metadata } of items)
      for (const finalizer of metadata.finalizers ?? []) this.finalizers.set(finalizer, (this.finalizers.get(finalizer) ?? 0) + 1);
  }

  async #delete(resource: ServedResource): Promise<Outcome> {
    // Most resources have nothing in most namespaces.
    if (!(await this.#hasAny(resource))) return { items: [], estimateSeconds: 0 };
    const graceSeconds = isPods(resource) ? await this.#graceOfPods(resource) : 0;
    if (resource.verbs.includes('deletecollection')) await this.#remove(resourcePath(resource, this.#namespace.name));
    else
      for (const { metadata } of await this.#list(resource))
        await this.#remove(resourcePath(resource, this.#namespace.name, metadata.name));
    const items = await this.#list(resource);
    if (items.length === 0) return { items, estimateSeconds: 0 };
    if (graceSeconds > 0) return { items, estimateSeconds: graceSeconds };
    if (items.some(({ metadata }) => metadata.finalizers?.length)) return { items, estimateSeconds: finalizerEstimateSeconds };
    const { group, version, resource: plural } = resource;
    const failure = `unexpected items still remain in namespace: ${this.#namespace.name} for gvr: ${group}/${version}, Resource=${plural}`;
    return { items, estimateSeconds: 0, failure };
  }

  async #hasAny(resource: ServedResource): Promise<boolean> {
    for await (const page of this.#pages(resource, 1)) if (page.length > 0) return true;
    return false;
  }

  async #list(resource: ServedResource): Promise<readonly KubeObject[]> {
    const all: KubeObject[] = [];
    for await (const page of this.#pages(resource)) append(all, page);
    return all;
  }

  async *#pages(resource: ServedResource, pageSize?: number): AsyncGenerator<readonly KubeObject[]> {
    if (!resource.verbs.includes('list')) return;
    try {
      const options = { accept: metadataListForm, ...(pageSize !== undefined && { pageSize }) };
      yield* pagesOf(this.#client, resourcePath(resource, this.#namespace.name), options);
    } catch (error) {
      // The resource went away meanwhile, and its objects with it.
      if (!isReason(error, 'NotFound') && !isReason(error, 'MethodNotAllowed')) throw error;
    }
  }

  async #remove(path: string): Promise<void> {
    try {
      await this.#client.delete(path, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isReason(error, 'NotFound') && !isReason(error, 'MethodNotAllowed')) throw error;
    }
  }

  /** How long pods that run are given to end; 0 when that is over. */
  async #graceOfPods(pods: ServedResource): Promise<number> {
    let longest = 0;
    for await (const page of pagesOf<Pod & KubeObject>(this.#client, resourcePath(pods, this.#namespace.name))) {
      const running = page.filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed');
      longest = Math.max(longest, ...running.map(({ spec }) => Number(spec.terminationGracePeriodSeconds ?? 0)));
    }
    return this.#namespace.forMs >= longest * 1000 ? 0 : longest;
  }
}

function isPods({ group, resource }: ServedResource): boolean {
  return group === '' && resource === 'pods';
}
