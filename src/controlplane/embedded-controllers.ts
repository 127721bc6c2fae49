import { RestClientMetrics } from '../server/webhook/rest-client-metrics.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import type { CertificateSigner } from '../controllers/certificate-signing-request-signing/controller.ts';
import type { Controller } from '../controllers/common/controller.ts';
import { Informers } from '../controllers/common/informers.ts';
import type { UserInfo } from '../server/request/user.ts';
import { authenticatedGroup } from '../server/request/user.ts';
import type { Handler } from '../server/http/response.ts';
import type { SecretTokenSigner } from '../server/registry/tokens.ts';
import type { ControllerChoice, ControllerName } from './controller-names.ts';
import { controllerNames } from './controller-names.ts';
import { InProcessCaller } from './in-process-call.ts';
import { InProcessClient } from './in-process-client.ts';
import type { LeaderElectionOptions } from './leader-election/leader-election.ts';
import { leaderElectionFamilies } from './leader-election/leader-election-metrics.ts';
import { ManagerLease } from './manager-lease.ts';

export interface EmbeddedControllersOptions {
  readonly choice: ControllerChoice;
  /** false: the garbage collector is not among them, whatever the choice */
  readonly garbageCollection: boolean;
  /** PEM of the authority that the server's certificate is from; undefined: unknown, and not published */
  readonly rootAuthority: () => string | undefined;
  /** undefined: this server has no key to sign tokens with */
  readonly signSecretToken?: SecretTokenSigner | undefined;
  /** of certificates; undefined: the server signs none */
  readonly signer?: CertificateSigner | undefined;
  /** after which unused tokens of service accounts are cleaned up */
  readonly unusedTokenMs: number;
  /** the server as it serves an authenticated user */
  readonly serverFor: (user: UserInfo) => Handler;
  /** how the Lease is read and written that servers on one store compete for; undefined: there are no other servers */
  readonly shared?: Pick<LeaderElectionOptions, 'reader' | 'writer'> | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
}

/** Fields that upstream's controllers write are managed by kube-controller-manager, whatever the controller. */
const program = 'kube-controller-manager';
const manager = { name: `system:${program}`, groups: [] };
/** Not that of kube-controller-manager, which is to find its own free. */
const electionLease = 'wheelhouse-embedded-controllers';
/** Those that have something to write in a new cluster: who waits for that need not wait for what all others read first. */
const furnishing: ReadonlySet<string> = new Set<ControllerName>([
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
  'service-cidr-controller',
]);

/**
 * Runs controllers beside the server, each as its own service account, with the rights that the default roles give it.
 * A kube-controller-manager has precedence: two that do the same would get in each other's way. Of several servers on one store, one runs them.
 */
export class EmbeddedControllers {
  readonly #options: EmbeddedControllersOptions;
  readonly #requests: RestClientMetrics;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: EmbeddedControllersOptions) {
    this.#options = options;
    this.#requests = new RestClientMetrics(options.metrics);
  }

  start(): void {
    this.#running = this.#run().catch((error: unknown) => this.#options.log.error('controllers failed', { err: error }));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stopping;
    // Callers that have waited for the server to be ready come first.
    await new Promise((resolve) => setImmediate(resolve));
    const informers = new Informers({ client: this.#client(manager), clock, log });
    {
      using lease = new ManagerLease(informers, clock);
      const taken = await lease.whileFree(signal, (free) => this.#lead(free, (leading) => this.#work(informers, leading)));
      if (taken !== undefined) log.warn('embedded controllers stay off: a kube-controller-manager is running', { holder: taken });
    }
    await informers.stopped();
  }

  async #lead(signal: AbortSignal, work: (leading: AbortSignal) => Promise<void>): Promise<void> {
    const { shared, clock, log, metrics } = this.#options;
    if (shared === undefined) return work(signal);
    const { LeaderElection } = await import('./leader-election/leader-election.ts');
    const identity = `${hostname()}_${randomUUID()}`;
    const status = leaderElectionFamilies(metrics).status.with(electionLease);
    await new LeaderElection({ ...shared, clock, log, lease: electionLease, identity }).run(signal, async (leading) => {
      status.set(1);
      try {
        await work(leading);
      } finally {
        status.set(0);
      }
    });
  }

  async #work(informers: Informers, signal: AbortSignal): Promise<void> {
    const { clock, log, metrics } = this.#options;
    const chosen = await this.#chosen();
    log.info('embedded controllers start', { controllers: chosen.map(({ name }) => name) });
    const run = async (controller: Controller): Promise<void> => {
      const { name, account } = controller;
      const client = this.#client(account === undefined ? manager : accountIn(account));
      try {
        await controller.run({ client, informers, clock, log: log.named(name), metrics, signal });
      } catch (error) {
        log.error('controller failed', { controller: name, err: error });
      }
    };
    const { first = [], later = [] } = Object.groupBy(chosen, ({ name }) => (furnishing.has(name) ? 'first' : 'later'));
    const running = first.map(run);
    // Each has lists to read: requests of clients come in between.
    for (const controller of later) {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) break;
      running.push(run(controller));
    }
    await Promise.all(running);
  }

  /** Loaded only now: a server without controllers, and the start of one with them, need not pay for them. */
  async #chosen(): Promise<Controller[]> {
    const { choice, garbageCollection, signSecretToken, signer, unusedTokenMs, log } = this.#options;
    const rootAuthority = this.#options.rootAuthority();
    const { controllers } = await import('./controllers.ts');
    const all = controllers({ rootAuthority: rootAuthority ?? '', signSecretToken, signer, unusedTokenMs });
    const names = controllerNames.filter(
      (name) =>
        (choice === true || (choice !== false && choice.includes(name))) && (garbageCollection || name !== 'garbage-collector-controller'),
    );
    const unpublishable = rootAuthority === undefined && names.includes('root-ca-certificate-publisher-controller');
    if (unpublishable) log.warn('the authority of the serving certificate is not known and will not be published');
    if (signSecretToken === undefined && names.includes('serviceaccount-token-controller'))
      log.warn('there is no key to sign tokens with: secrets for them stay empty');
    return names
      .filter((name) => !(unpublishable && name === 'root-ca-certificate-publisher-controller'))
      .map((name) => all[name])
      .filter((controller) => controller !== undefined);
  }

  #client({ name, groups }: Pick<UserInfo, 'name' | 'groups'>): InProcessClient {
    const user = { name, uid: '', groups: [...groups, authenticatedGroup], extra: {} };
    return new InProcessClient(new InProcessCaller(this.#options.serverFor(user), `${program}/embedded`, this.#requests));
  }
}

function accountIn(account: string): Pick<UserInfo, 'name' | 'groups'> {
  return { name: `system:serviceaccount:kube-system:${account}`, groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'] };
}
