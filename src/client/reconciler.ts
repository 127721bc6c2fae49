import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { MetricsRegistry } from '../base/metrics.ts';
import type { Informer } from '../controllers/common/informer.ts';
import { WorkQueue } from '../controllers/common/work-queue.ts';
import type { KubeObject } from '../machinery/kube-object.ts';

/** Brings the world into line with an object; undefined: the object is gone. What it throws is tried again, later each time. */
export type Reconcile<T> = (object: T | undefined, name: { readonly namespace: string; readonly name: string }) => Promise<void> | void;

/** A controller that is at work until it is stopped, or its server is. */
export interface Reconciler extends AsyncDisposable {
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

interface Options {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Calls `reconcile` for every object that is there and for every one that changes: one call at a time for each object. */
export function startReconciler<T extends KubeObject>(informer: Informer<T>, reconcile: Reconcile<T>, options: Options): Reconciler {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, options.signal]);
  const queue = new WorkQueue<string>({
    ...options,
    name: 'reconciler',
    metrics: new MetricsRegistry(),
    async process(key) {
      const slash = key.indexOf('/');
      const [namespace, name] = [key.slice(0, slash), key.slice(slash + 1)];
      await reconcile(informer.get(namespace, name), { namespace, name });
    },
  });
  const add = ({ metadata }: KubeObject): void => queue.add(`${metadata.namespace ?? ''}/${metadata.name}`);
  const run = async (): Promise<void> => {
    {
      using _ = informer.subscribe({ changed: add, deleted: add });
      await queue.run(signal, informer.synced);
    }
    await informer.stopped;
  };
  const running = run();
  const stop = (): Promise<void> => {
    stopping.abort();
    return running;
  };
  return { stop, [Symbol.asyncDispose]: stop };
}
