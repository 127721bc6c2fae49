// Upstream: k8s.io/kubernetes/pkg/controlplane/apiserver/options/validation.go
// And the Validate of each group of options.
import { inRange } from '../apis/common/service-network/port-bitmap.ts';
import { goQuote } from '../machinery/go-format.ts';
import { isIpv4 } from '../machinery/ip.ts';
import { authorizationModes } from '../server/access/authz/modes.ts';
import { ownVersion, versionProblems } from '../controlplane/effective-version.ts';
import { originProblem } from '../server/filters/cors.ts';
import { validateAdmission } from './admission.ts';
import { validateAudit } from './auditing.ts';
import type { CompletedOptions } from './complete-options.ts';
import { validateFrontProxy } from './front-proxy-options.ts';
import { validateMetrics } from './metrics-options.ts';
import { validateFairnessApis, validateRuntimeConfig } from './runtime-config.ts';
import { effectiveVersion } from './flags/versions.ts';
import { parseEtcdOverrides } from './flags/etcd-overrides.ts';
import { parseWatchCacheSizes } from './flags/watch-cache-sizes.ts';
import { cipherSuites, curveProblem, minimumVersions } from '../base/tls/tls-names.ts';

/** Everything that is wrong with the options, in upstream's words and order. */
export function validateOptions(options: CompletedOptions): string[] {
  return [
    ...generic(options),
    ...storage(options),
    ...profiling(options),
    ...validateFairnessApis(options.flags),
    ...serving(options),
    ...authentication(options),
    ...authorization(options),
    ...validateAudit(options.flags),
    ...validateAdmission(options.flags),
    ...validateRuntimeConfig(options.flags['runtime-config']),
    ...signingEndpoint(options),
    ...tokens(options),
    ...validateMetrics(options.flags),
    ...services(options),
    ...signing(options),
  ];
}

/** The form of Go's aggregated errors: each text once. */
export function aggregate(messages: readonly string[]): string {
  const once = [...new Set(messages)];
  return once.length === 1 ? (once[0] as string) : `[${once.join(', ')}]`;
}

function* generic({ flags }: CompletedOptions): Iterable<string> {
  if (flags['livez-grace-period'] < 0) yield '--livez-grace-period can not be a negative value';
  if (flags['max-requests-inflight'] < 0) yield '--max-requests-inflight can not be negative value';
  if (flags['max-mutating-requests-inflight'] < 0) yield '--max-mutating-requests-inflight can not be negative value';
  if (flags['request-timeout'] < 0) yield '--request-timeout can not be negative value';
  if (flags['goaway-chance'] < 0 || flags['goaway-chance'] > 0.02) yield '--goaway-chance can not be less than 0 or greater than 0.02';
  if (flags['min-request-timeout'] < 0) yield '--min-request-timeout can not be negative value';
  if (flags['storage-initialization-timeout'] < 0) yield '--storage-initialization-timeout can not be negative value';
  if (flags['shutdown-delay-duration'] < 0) yield '--shutdown-delay-duration can not be negative value';
  if (flags['shutdown-watch-termination-grace-period'] < 0)
    yield 'shutdown-watch-termination-grace-period, if provided, can not be a negative value';
  for (const origin of flags['cors-allowed-origins']) {
    const problem = origin === '' ? undefined : originProblem(origin);
    if (origin === '') yield 'empty value in --cors-allowed-origins';
    else if (problem !== undefined) yield `--cors-allowed-origins has an invalid regular expression: ${problem}`;
  }
  const version = effectiveVersion(flags);
  yield* versionProblems(version);
  if (version.emulation !== ownVersion.emulation) return;
  const onlyEmulating = 'cannot be set to true if the emulation version is the same as the binary version';
  if (flags['emulation-forward-compatible']) yield `ServerRunOptions.EmulationForwardCompatible ${onlyEmulating}`;
  if (flags['runtime-config-emulation-forward-compatible'])
    yield `ServerRunOptions.RuntimeConfigEmulationForwardCompatible ${onlyEmulating}`;
}

const mediaTypes: readonly string[] = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

/** Upstream would take it. A profile that cannot exist is better refused than missed. */
function* profiling({ flags }: CompletedOptions): Iterable<string> {
  if (flags['contention-profiling'])
    yield '--contention-profiling is not supported: one thread runs all requests and there is no profile of what blocks it; use /debug/pprof/profile';
}

function* storage({ flags }: CompletedOptions): Iterable<string> {
  // Not in upstream, which knows etcd only.
  if (flags.workers > 1 && process.platform !== 'linux') yield `--workers: threads cannot share a port on ${process.platform}`;
  if (flags['etcd-servers'].length > 0 && flags['data-dir'] !== '') yield '--data-dir and --etcd-servers exclude each other';
  const backend = flags['storage-backend'];
  if (backend !== '' && backend !== 'etcd3')
    yield "--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'";
  const overrides = parseEtcdOverrides(flags['etcd-servers-overrides']);
  if (typeof overrides === 'string') yield overrides;
  if (flags['encryption-provider-config'] === '' && flags['encryption-provider-config-automatic-reload']) {
    yield '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config';
  }
  const sizes = flags['watch-cache'] ? parseWatchCacheSizes(flags['watch-cache-sizes']) : [];
  if (typeof sizes === 'string') yield sizes;
  const media = flags['storage-media-type'];
  if (media !== '' && !mediaTypes.includes(media))
    yield `--storage-media-type ${goQuote(media)} invalid, allowed values: ${mediaTypes.join(', ')}`;
}

function* serving({ flags }: CompletedOptions): Iterable<string> {
  const port = flags['secure-port'];
  if (port < 1 || port > 65535) yield `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`;
  const minimum = flags['tls-min-version'];
  if (minimum !== '' && !Object.hasOwn(minimumVersions, minimum)) yield `unknown tls version ${goQuote(minimum)}`;
  for (const suite of flags['tls-cipher-suites']) {
    if (!Object.hasOwn(cipherSuites, suite)) yield `Cipher suite ${suite} not supported or doesn't exist`;
  }
  const curve = curveProblem(flags['tls-curve-preferences']);
  if (curve !== undefined) yield curve;
}

function* authentication({ flags, changed }: CompletedOptions): Iterable<string> {
  if ([...changed].some((name) => name.startsWith('oidc-'))) {
    if (flags['authentication-config'] !== '') yield 'authentication-config file and oidc-* flags are mutually exclusive';
    else if (flags['oidc-issuer-url'] === '' || flags['oidc-client-id'] === '')
      yield 'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set';
  }
  const seen = new Set<string>();
  for (const issuer of flags['service-account-issuer']) {
    if (issuer === '') yield 'service-account-issuer should not be an empty string';
    else if (seen.has(issuer)) yield `service-account-issuer ${goQuote(issuer)} is already specified`;
    seen.add(issuer);
  }
  if (flags['service-account-issuer'].length === 0) yield 'service-account-issuer is a required flag';
  if (flags['service-account-key-file'].length === 0 && flags['service-account-signing-endpoint'] === '') {
    yield 'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set';
  }
  yield* validateFrontProxy({ flags });
}

const authorizationFlags: readonly string[] = [
  'authorization-mode',
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
];

function* authorization({ flags, changed, authorizationModes: modes }: CompletedOptions): Iterable<string> {
  if (flags['authorization-config'] !== '') {
    if (authorizationFlags.some((name) => changed.has(name)))
      yield '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined';
    // What the file says is checked where it is read: a chain of authorizers takes more to know than flags do.
    return;
  }
  const [policy, webhook] = [flags['authorization-policy-file'], flags['authorization-webhook-config-file']];
  for (const mode of modes) {
    if (!authorizationModes.includes(mode)) yield `authorization-mode ${goQuote(mode)} is not a valid mode`;
    if (mode === 'ABAC' && policy === '') yield "authorization-mode ABAC's authorization policy file not passed";
    if (mode === 'Webhook' && webhook === '') yield "authorization-mode Webhook's authorization config file not passed";
  }
  if (policy !== '' && !modes.includes('ABAC')) yield 'cannot specify --authorization-policy-file without mode ABAC';
  if (webhook !== '' && !modes.includes('Webhook')) yield 'cannot specify --authorization-webhook-config-file without mode Webhook';
  if (new Set(modes).size !== modes.length) yield `authorization-mode [${modes.map(goQuote).join(' ')}] has mode specified more than once`;
}

const abstractSocket = /^@([a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;

function* signingEndpoint({ flags }: CompletedOptions): Iterable<string> {
  const endpoint = flags['service-account-signing-endpoint'];
  if (endpoint === '') return;
  if (flags['service-account-signing-key-file'] !== '' || flags['service-account-key-file'].length > 0)
    yield "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)";
  if (endpoint.startsWith('@') && !abstractSocket.test(endpoint))
    yield `invalid value ${goQuote(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`;
}

function* tokens({ flags }: CompletedOptions): Iterable<string> {
  const signs = flags['service-account-signing-key-file'] !== '' || flags['service-account-signing-endpoint'] !== '';
  const issues = flags['service-account-issuer'].length > 0;
  if (!signs && !issues && flags['api-audiences'].length === 0) {
    yield '--service-account-signing-key-file and --service-account-issuer are required flags';
  } else if (!signs || !issues) {
    yield '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together';
  }
}

const endpointReconcilerTypes: readonly string[] = ['lease', 'master-count', 'none'];

function* signing({ flags }: CompletedOptions): Iterable<string> {
  if (flags['cluster-signing-duration'] <= 0) yield '--cluster-signing-duration must be greater than 0';
  if (flags['legacy-service-account-token-clean-up-period'] < 0)
    yield '--legacy-service-account-token-clean-up-period can not be a negative value';
}

function* services({ flags, serviceRanges }: CompletedOptions): Iterable<string> {
  if (serviceRanges.length > 2) yield '--service-cluster-ip-range must not contain more than two entries';
  const [first, second] = serviceRanges;
  if (first !== undefined && second !== undefined && isIpv4({ value: first.network }) === isIpv4({ value: second.network })) {
    yield '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family';
  }
  const port = flags['kubernetes-service-node-port'];
  if (port < 0 || port > 65535) {
    yield `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`;
  }
  const ports = flags['service-node-port-range'];
  if (port > 0 && !inRange(ports, port)) {
    yield `kubernetes service node port range ${ports.first}-${ports.first + ports.size - 1} doesn't contain ${port}`;
  }
  const reconciler = flags['endpoint-reconciler-type'];
  if (!endpointReconcilerTypes.includes(reconciler)) yield `--endpoint-reconciler-type: reconciler not implemented: ${reconciler}`;
  const count = flags['apiserver-count'];
  if (count <= 0) yield `--apiserver-count should be a positive number, but value '${count}' provided`;
}
