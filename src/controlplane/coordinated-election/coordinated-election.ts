// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/leaderelection/run_with_leaderelection.go
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { PostStartHook } from '../../server/api-server.ts';
import type { LeaderElectionTimers } from '../leader-election/timers.ts';
import type { ElectionControllerOptions } from './election-controller.ts';

export interface CoordinatedElectionOptions extends ElectionControllerOptions {
  /** of the Lease of the server that elects */
  readonly timers: LeaderElectionTimers;
}

const lease = 'leader-election-controller';

/** One of the API servers of a store elects leaders for others. */
export class CoordinatedElection {
  readonly #options: CoordinatedElectionOptions;
  #running: Promise<void> = Promise.resolve();

  constructor(options: CoordinatedElectionOptions) {
    this.#options = options;
  }

  get startHook(): PostStartHook {
    const run = async (signal: AbortSignal): Promise<void> => {
      this.#running = this.#run(signal).catch((error: unknown) =>
        this.#options.log.error('coordinated leader election ended', { err: error }),
      );
    };
    return { name: 'start-kube-apiserver-coordinated-leader-election-controller', run };
  }

  /** Resolves when it has ended, after the signal of its hook. */
  stopped(): Promise<void> {
    return this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { LeaderElection } = await import('../leader-election/leader-election.ts');
    const { ElectionController } = await import('./election-controller.ts');
    const election = new LeaderElection({ ...this.#options, lease, identity: `${hostname()}_${randomUUID()}` });
    await election.run(signal, (leading) => new ElectionController(this.#options, leading).run());
  }
}
