import type { Clock } from '../base/clock.ts';
import { whenAborted } from '../base/pause.ts';
import type { Informer } from '../controllers/common/informer.ts';
import type { Informers } from '../controllers/common/informers.ts';
import type { Lease } from '../schema/types/coordination-v1.ts';
import type { KubeObject } from '../server/registry/definition.ts';

type LeaseObject = Lease & KubeObject;

const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?fieldSelector=metadata.name%3Dkube-controller-manager';

/** The lease by which a kube-controller-manager says that it is at work. */
export class ManagerLease implements Disposable {
  readonly #leases: Informer<LeaseObject>;
  readonly #clock: Clock;
  readonly #subscription: Disposable;
  readonly #taken = Promise.withResolvers<string>();

  constructor(informers: Informers, clock: Clock) {
    this.#clock = clock;
    this.#leases = informers.of<LeaseObject>(path);
    this.#subscription = this.#leases.subscribe({
      changed: ({ spec }) => {
        if (this.#isHeld(spec)) this.#taken.resolve(spec.holderIdentity as string);
      },
    });
  }

  /** Works until the signal, or until another holder takes the lease, which is returned. */
  async whileFree(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<string | undefined> {
    const stopped = whenAborted(signal).then(() => undefined);
    const ended = Promise.race([this.#taken.promise, stopped]);
    await Promise.race([this.#leases.synced, ended]);
    const stopping = new AbortController();
    // The holder was delivered with the informer's first list.
    const working = (await Promise.race([ended, Promise.resolve('free' as const)])) === 'free' ? work(stopping.signal) : undefined;
    const holder = await ended;
    stopping.abort();
    await working;
    return holder;
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  #isHeld(spec: Lease['spec']): boolean {
    if (!spec?.holderIdentity) return false;
    const until = Date.parse(String(spec.renewTime)) + Number(spec.leaseDurationSeconds ?? 0) * 1000;
    return until > this.#clock.now();
  }
}
