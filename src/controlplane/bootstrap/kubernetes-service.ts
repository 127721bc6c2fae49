// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/kubernetesservice/controller.go
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { PreShutdownHook } from '../../server/api-server.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import type { EndpointReconciler } from './endpoint-reconciler.ts';
import { periodically } from './periodically.ts';
import { ensureNamespace } from './system-namespaces.ts';

export interface KubernetesServiceOptions {
  readonly writer: ServerWriter;
  readonly clock: Clock;
  readonly log: Logger;
  /** where the service lives */
  readonly kubernetesAddress: string;
  /** --kubernetes-service-node-port; 0: only a cluster address */
  readonly kubernetesNodePort: number;
  /** where others reach this server, when they can; its port is known once it listens */
  readonly advertised: Promise<AdvertisedAddress>;
  /** resolves when the server is ready: others may be sent to it */
  readonly ready: Promise<void>;
  /** resolves when services can have addresses */
  readonly serviceCidrExists: Promise<void>;
  readonly endpoints: EndpointReconciler;
}

export interface AdvertisedAddress {
  /** undefined: only this machine can reach it, so it is no endpoint of the kubernetes service */
  readonly address: string | undefined;
  readonly port: number;
}

const servicePort = 443;
const intervalMs = 10_000;

/** The `kubernetes` Service through which pods find the servers, and this server among its endpoints for as long as it serves. */
export class KubernetesService {
  readonly #options: KubernetesServiceOptions;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: KubernetesServiceOptions) {
    this.#options = options;
  }

  get startHook(): BootstrapHook {
    return { name: 'bootstrap-controller', begin: () => this.#begin(), run: (signal) => this.#start(signal) };
  }

  get stopHook(): PreShutdownHook {
    return { name: 'stop-kubernetes-service-controller', run: () => this.#stop() };
  }

  async #begin(): Promise<void> {
    const { serviceCidrExists, advertised, log } = this.#options;
    await serviceCidrExists;
    const { port } = await advertised;
    const failed = (error: unknown): void => log.error('the kubernetes Service could not be created', { err: error });
    await this.#ensureService(port).catch(failed);
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { advertised, endpoints, ready, log } = this.#options;
    const { address, port } = await advertised;
    if (address !== undefined) {
      // What an earlier server at this address has left behind: no client is to be sent here before this one is ready.
      await endpoints
        .remove({ address, port }, false)
        .catch((error: unknown) => log.warn('old Endpoints of the kubernetes Service could not be removed', { err: error }));
    }
    const until = AbortSignal.any([signal, this.#stopped.signal]);
    void ready.then(() => this.#keep(until));
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    const failed = (error: unknown): void => log.error('the kubernetes Service could not be reconciled', { err: error });
    const run = (): Promise<void> => (this.#running = this.#reconcile(signal));
    await run().catch(failed);
    periodically(run, { everyMs: intervalMs, clock, signal, failed });
  }

  async #reconcile(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { address, port } = await this.#options.advertised;
    await this.#ensureService(port);
    if (address !== undefined && !signal.aborted) await this.#options.endpoints.reconcile({ address, port });
  }

  async #ensureService(port: number): Promise<void> {
    const { writer, kubernetesAddress, kubernetesNodePort } = this.#options;
    await ensureNamespace(writer, 'default');
    await writer.ensure('', 'services', kubernetesService(kubernetesAddress, port, kubernetesNodePort));
  }

  /** Leaves the endpoints, so that clients go elsewhere while requests are still served. */
  async #stop(): Promise<void> {
    const { advertised, endpoints, log } = this.#options;
    this.#stopped.abort();
    // One that is under way would put back what is removed here. Its failure has been logged.
    await this.#running?.catch(() => {});
    if (this.#running === undefined) return;
    const { address, port } = await advertised;
    if (address === undefined) return;
    await endpoints
      .remove({ address, port }, true)
      .catch((error: unknown) => log.error('Endpoints of the kubernetes Service could not be removed', { err: error }));
  }
}

function kubernetesService(clusterIP: string, targetPort: number, nodePort: number): KubeObject {
  return {
    metadata: { name: 'kubernetes', namespace: 'default', labels: { provider: 'kubernetes', component: 'apiserver' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: servicePort, targetPort, ...(nodePort > 0 && { nodePort }) }],
      clusterIP,
      type: nodePort > 0 ? 'NodePort' : 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
    },
  };
}
