// Upstream: cmd/kube-apiserver/app/server.go (Run)
import type { AddressInfo } from 'node:net';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import { ControlPlane } from '../controlplane/control-plane.ts';
import { pluginChoice } from './admission.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import { aggregation } from './aggregation.ts';
import { openAudit } from './auditing.ts';
import { buildAuthenticator, buildTokens, clusterAuthentication } from './authentication.ts';
import { openAuthorization } from './authorization.ts';
import type { CompletedOptions } from './complete-options.ts';
import { formatCidr } from '../machinery/ip.ts';
import type { ServerAddresses } from '../server/discovery/addresses.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import { kubelets } from './kubelets.ts';
import { authenticationConfiguration } from './jwt-tokens.ts';
import { openEncryption, openStorage } from './open-storage.ts';
import type { StorageMediaType } from '../server/object/storage-format.ts';
import { apiPreferences } from './runtime-config.ts';
import { servingAuthority } from '../base/tls/serving-authority.ts';
import { servingTls } from './serving-certificate.ts';

export interface RunningServer {
  readonly address: AddressInfo;
  readonly metrics: MetricsRegistry;
  stop(): Promise<void>;
}

/** A flag's value as `/flagz` shows it. */
function flagText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** From valid options to a server that is ready. */
export async function runServer(options: CompletedOptions, features: FeatureGates, log: Logger): Promise<RunningServer> {
  const { flags } = options;
  const clock = systemClock;
  const tls = servingTls(options, log);
  const owned = new AsyncDisposableStack();
  try {
    const authentication = authenticationConfiguration(options);
    const tokens = buildTokens(options, authentication, clock, log, owned);
    const authenticate = buildAuthenticator(options, authentication, tokens, clock);
    const authorization = openAuthorization(options, clock, log, owned);
    const encryption = await openEncryption(options, clock, log, owned);
    const storage = await openStorage(options, clock, log, owned);
    const audit = await openAudit(flags, clock, log);
    const controlPlane = new ControlPlane({
      storage,
      audit,
      clock,
      log,
      features,
      authenticate,
      tokens,
      clusterAuthentication: clusterAuthentication(options),
      authorizer: (cluster) => authorization.build({ cluster, features }),
      rbac: authorization.types.includes('RBAC'),
      serverAddresses: serverAddresses(options),
      apis: apiPreferences(flags['runtime-config']),
      admissionPlugins: pluginChoice(flags),
      admissionConfiguration: readAdmissionConfiguration(flags['admission-control-config-file']),
      tolerationSeconds: {
        notReady: flags['default-not-ready-toleration-seconds'],
        unreachable: flags['default-unreachable-toleration-seconds'],
      },
      flags: () => new Map(Object.entries(flags).map(([name, value]) => [name, flagText(value)])),
      aggregation: aggregation(options),
      kubelets: kubelets(options),
      controllers: flags['embedded-controllers'],
      rootAuthority: servingAuthority(tls),
      minRequestTimeoutSeconds: flags['min-request-timeout'],
      storagePrefix: flags['etcd-prefix'],
      // our own store keeps our own JSON; what others read too is written as they expect it
      ...(options.dataDirectory === undefined && { storageMediaType: flags['storage-media-type'] as StorageMediaType }),
      ...(encryption !== undefined && { encryption: (resource) => encryption.transformerFor(resource) }),
      serviceClusterIpRange: options.serviceRanges.map(formatCidr),
      serviceNodePortRange: flags['service-node-port-range'],
      eventTtlSeconds: Math.floor(flags['event-ttl'] / 1000),
      ...(!isLoopback(options.advertiseAddress) && { advertiseAddress: options.advertiseAddress }),
      serving: {
        address: flags['bind-address'],
        port: flags['secure-port'],
        tls,
        maxStreams: flags['http2-max-streams-per-connection'],
        requestTimeoutMs: flags['request-timeout'],
        shutdownDelayMs: flags['shutdown-delay-duration'],
        strictTransportSecurity: flags['strict-transport-security-directives'],
      },
    });
    const address = await controlPlane.start().catch((error: unknown) => {
      throw listenError(error, flags);
    });
    log.info(`Serving securely on ${address.address}:${address.port}`);
    return {
      address,
      metrics: controlPlane.metrics,
      async stop() {
        await controlPlane.stop();
        await owned.disposeAsync();
      },
    };
  } catch (error) {
    await owned.disposeAsync();
    throw error;
  }
}

/** In the original's words; anything else is passed on. */
function listenError(error: unknown, flags: CompletedOptions['flags']): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error;
  const address = hostPort(flags['bind-address'], flags['secure-port']);
  const text = `failed to create listener: failed to listen on ${address}: listen tcp ${address}: bind: address already in use`;
  return Object.assign(new Error(text, { cause: error }), { code: 'EADDRINUSE' });
}

function hostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Clients from within the cluster are sent to the kubernetes service, others to the address this server is known by. */
function serverAddresses({ flags, advertiseAddress, serviceRanges, serviceAddress }: CompletedOptions): ServerAddresses {
  return {
    default: hostPort(flags['external-hostname'] || advertiseAddress, flags['secure-port']),
    rules: serviceRanges.slice(0, 1).map((clients) => ({ clients, address: hostPort(serviceAddress, 443) })),
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
