// Upstream: k8s.io/kubernetes/pkg/controlplane/apiserver/{config,completion}.go, k8s.io/kubernetes/pkg/controlplane/apiserver/options/options.go
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { silentLogger } from '../base/log.ts';
import type { TextSource } from '../base/text-source.ts';
import type { KubeletOptions } from '../apis/common/kubelet.ts';
import { defaultKubeletOptions } from '../apis/common/kubelet.ts';
import type { PortRange } from '../apis/common/service-network/port-bitmap.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import type { AdmissionConfig } from './admission.ts';
import { admissionDefaults } from './admission.ts';
import type { ApiPreferences } from './api-enablement.ts';
import type { AuditConfig, AuditLogConfig, AuditWebhookConfig } from './auditing.ts';
import { auditDefaults, auditLogDefaults, auditWebhookDefaults } from './auditing.ts';
import type { AuthenticationConfig, ServiceAccountsConfig } from './authentication.ts';
import { authenticationDefaults } from './authentication.ts';
import type { AuthorizationConfig } from './authorization.ts';
import { authorizationDefaults } from './authorization.ts';
import type { EffectiveVersion } from './effective-version.ts';
import { ownVersion } from './effective-version.ts';
import type { EgressConfig } from './egress.ts';
import type { EndpointReconcilerType } from './bootstrap/endpoint-reconciler.ts';
import type { ControllerChoice } from './controller-names.ts';
import { controllerNames } from './controller-names.ts';
import { defaultFeatureGates } from './feature-gates.ts';
import type { FlowControlConfig } from './flow-control.ts';
import { flowControlDefaults } from './flow-control.ts';
import type { LeaderElectionTimers } from './leader-election/timers.ts';
import { defaultTimers } from './leader-election/timers.ts';
import type { MetricsConfig } from './metrics.ts';
import { metricsDefaults } from './metrics.ts';
import type { ObservabilityConfig } from './observability.ts';
import { observabilityDefaults } from './observability.ts';
import type { Capabilities } from '../server/registry/capabilities.ts';
import type { Origin } from './origin.ts';
import type { OwnPathsConfig } from './own-paths.ts';
import { ownPathsDefaults } from './own-paths.ts';
import type { CertificateSigningConfig, KeyPairSource, ServingConfig } from './serving.ts';
import { servingDefaults } from './serving.ts';
import type { StorageConfig } from './storage.ts';
import { checkBackend, storageDefaults } from './storage.ts';
import type { ThreadRole } from './workers/thread.ts';

/** What is served, and the rules of single kinds. Every kind may read it. */
export interface ResourcesConfig extends Capabilities {
  /** what to serve or not; the rest is as upstream has it by default */
  readonly apis: ApiPreferences;
  readonly features: FeatureGates;
  /** which release the server behaves as; `features` are those of the same */
  readonly version: EffectiveVersion;
  /** life of events; 0: for ever */
  readonly eventTtlSeconds: number;
  /** deletions leave finalizers for a garbage collector, the one beside this server included */
  readonly garbageCollection: boolean;
  /** deletions at a time within one delete of a collection; less than 1 is 1 */
  readonly deleteCollectionWorkers: number;
}

export interface ServicesConfig {
  /** CIDRs of service addresses: one, or two of different families */
  readonly ranges: readonly string[];
  readonly nodePorts: PortRange;
  /** node port of the kubernetes service; 0: it has only a cluster address */
  readonly kubernetesNodePort: number;
  /** how the endpoints of the kubernetes service are kept */
  readonly endpointReconciler: EndpointReconcilerType;
  /** how many servers there are, for the reconciler that goes by it */
  readonly serverCount: number;
}

/** How kubelets are reached. */
export interface KubeletsConfig extends Omit<KubeletOptions, 'authorities' | 'client'> {
  /** PEM of the authorities of kubelets' certificates; undefined: any certificate will do */
  readonly authorities: TextSource | undefined;
  /** this server's client certificate for kubelets; undefined: none */
  readonly client: KeyPairSource | undefined;
}

/** How requests are passed on to other servers of the cluster. */
export interface AggregationConfig {
  /** this server's client certificate for them; undefined: none */
  readonly client: KeyPairSource | undefined;
  /** call them by endpoint address, not by cluster address */
  readonly endpointRouting: boolean;
  readonly rejectRedirects: boolean;
  /** PEM of the authorities of other API servers on the store; undefined: nothing is passed on to those */
  readonly peerAuthorities: TextSource | undefined;
}

/** Tokens of service accounts in Secrets. */
export interface LegacyTokensConfig {
  /** after which an embedded controller marks those that are not used, and after as much again deletes them */
  readonly cleanUpPeriodMs: number;
}

/** Everything that can be said about a server: by flags to the command, by options to the library. */
export interface ServerConfig {
  readonly clock: Clock;
  readonly log: Logger;
  readonly storage: StorageConfig;
  readonly serving: ServingConfig;
  readonly authentication: AuthenticationConfig;
  readonly authorization: AuthorizationConfig;
  readonly admission: AdmissionConfig;
  readonly auditing: AuditConfig;
  readonly flowControl: FlowControlConfig;
  readonly resources: ResourcesConfig;
  readonly services: ServicesConfig;
  readonly kubelets: KubeletsConfig;
  readonly aggregation: AggregationConfig;
  readonly egress: EgressConfig;
  /** of the server that elects leaders among LeaseCandidates */
  readonly coordinatedLeadership: LeaderElectionTimers;
  readonly observability: ObservabilityConfig;
  readonly metrics: MetricsConfig;
  readonly wheelhouse: OwnPathsConfig;
  /** which controllers run beside the server, which upstream has in kube-controller-manager */
  readonly controllers: ControllerChoice;
  /** of several threads that serve one port */
  readonly thread: ThreadRole;
  /** undefined: the store is not known to be a copy of another server's */
  readonly origin: Origin | undefined;
  readonly certificateSigning: CertificateSigningConfig;
  readonly legacyTokens: LegacyTokensConfig;
}

/** kube-controller-manager's default of --cluster-signing-duration and of --legacy-service-account-token-clean-up-period */
const yearMs = 365 * 24 * 3600 * 1000;

const aggregationDefaults: AggregationConfig = Object.freeze({
  client: undefined,
  endpointRouting: false,
  rejectRedirects: true,
  peerAuthorities: undefined,
});

const serviceDefaults: ServicesConfig = Object.freeze({
  ranges: ['10.0.0.0/24'],
  nodePorts: { first: 30000, size: 2768 },
  kubernetesNodePort: 0,
  endpointReconciler: 'lease',
  serverCount: 1,
});

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A configuration of which only what matters is said. */
export type GivenConfig = {
  readonly [
    G in Exclude<keyof ServerConfig, 'clock' | 'log' | 'controllers' | 'thread' | 'origin' | 'authentication' | 'auditing'>
  ]?: Given<ServerConfig[G]>;
} & Given<Pick<ServerConfig, 'clock' | 'log' | 'controllers'>> & {
    readonly authentication?: Given<Omit<AuthenticationConfig, 'serviceAccounts'>> & {
      readonly serviceAccounts?: Given<ServiceAccountsConfig>;
    };
    readonly auditing?: Given<Pick<AuditConfig, 'policyFile'>> & {
      readonly log?: Given<AuditLogConfig> | undefined;
      readonly webhook?: Given<AuditWebhookConfig> | undefined;
    };
  };

/** The names of all that a configuration has. */
export const configKeys: readonly (keyof ServerConfig)[] = [
  'admission',
  'aggregation',
  'auditing',
  'flowControl',
  'authentication',
  'authorization',
  'certificateSigning',
  'clock',
  'controllers',
  'coordinatedLeadership',
  'egress',
  'kubelets',
  'legacyTokens',
  'log',
  'metrics',
  'observability',
  'resources',
  'services',
  'serving',
  'storage',
  'wheelhouse',
];

/** The one place where what was left open is filled in. Throws when something was said that no server knows. `thread`: which of several it is for */
export function completeConfig(given: GivenConfig = {}, thread: ThreadRole = { role: 'only' }): ServerConfig {
  refuseUnknown('', given, configKeys);
  const { authentication = {}, auditing = {} } = given;
  const { log, webhook } = auditing;
  const storage = complete('storage', storageDefaults, given.storage);
  checkBackend(storage.backend);
  return {
    clock: checkMethods('clock', given.clock ?? systemClock, ['now', 'elapsed', 'setTimeout']),
    log: checkMethods('log', given.log ?? silentLogger, ['info', 'warn', 'error', 'v', 'named', 'with']),
    storage,
    serving: complete('serving', servingDefaults, given.serving),
    authentication: complete('authentication', authenticationDefaults, {
      ...authentication,
      serviceAccounts: complete('authentication.serviceAccounts', authenticationDefaults.serviceAccounts, authentication.serviceAccounts),
    }),
    authorization: complete('authorization', authorizationDefaults, given.authorization),
    admission: complete('admission', admissionDefaults, given.admission),
    auditing: complete('auditing', auditDefaults, {
      ...auditing,
      log: log && complete('auditing.log', auditLogDefaults, log),
      webhook: webhook && complete('auditing.webhook', auditWebhookDefaults, webhook),
    }),
    flowControl: complete('flowControl', flowControlDefaults, given.flowControl),
    resources: complete(
      'resources',
      {
        apis: new Map(),
        features: given.resources?.features ?? defaultFeatureGates(),
        version: ownVersion,
        allowPrivileged: true,
        eventTtlSeconds: 3600,
        garbageCollection: true,
        deleteCollectionWorkers: 1,
      },
      given.resources,
    ),
    services: complete('services', serviceDefaults, given.services),
    kubelets: complete('kubelets', { ...defaultKubeletOptions, authorities: undefined, client: undefined }, given.kubelets),
    egress: complete('egress', { file: undefined }, given.egress),
    aggregation: complete('aggregation', aggregationDefaults, given.aggregation),
    coordinatedLeadership: complete('coordinatedLeadership', defaultTimers, given.coordinatedLeadership),
    observability: complete('observability', observabilityDefaults, given.observability),
    metrics: complete('metrics', metricsDefaults, given.metrics),
    wheelhouse: complete('wheelhouse', ownPathsDefaults, given.wheelhouse),
    thread,
    origin: undefined,
    controllers: checkControllers(given.controllers ?? false),
    certificateSigning: complete('certificateSigning', { authority: undefined, durationMs: yearMs }, given.certificateSigning),
    legacyTokens: complete('legacyTokens', { cleanUpPeriodMs: yearMs }, given.legacyTokens),
  };
}

function complete<T extends object>(name: string, defaults: T, given: Given<T> = {}): T {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${name} is an object of options, not ${JSON.stringify(given)}`);
  refuseUnknown(name, given, Object.keys(defaults));
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(said) };
}

/** A mistake in a name would otherwise look like the default. */
export function refuseUnknown(place: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const where = place === '' ? '' : `${place}.`;
  throw new TypeError(`there is no option ${unknown.map((key) => where + key).join(', ')}; there are ${known.toSorted().join(', ')}`);
}

/** A part that is given as an object: what is none would fail late, and far from here. */
function checkMethods<T extends object>(name: string, part: T, methods: readonly (keyof T & string)[]): T {
  const missing = methods.filter((method) => typeof part[method] !== 'function');
  if (missing.length === 0) return part;
  throw new TypeError(`${name} is an object with ${methods.join(', ')}; this one has no ${missing.join(', ')}`);
}

function checkControllers(choice: ControllerChoice): ControllerChoice {
  if (typeof choice === 'boolean') return choice;
  if (!Array.isArray(choice)) throw new TypeError(`controllers is true, false or a list of names, not ${JSON.stringify(choice)}`);
  const unknown = choice.filter((name) => !controllerNames.includes(name));
  if (unknown.length === 0) return choice;
  throw new TypeError(`there is no controller ${unknown.join(', ')}; there are ${controllerNames.join(', ')}`);
}
