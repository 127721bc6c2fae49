// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateService*
import { append } from '../../../machinery/append.ts';
import { FieldPath, LiteralValue, duplicate, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { goJson } from '../../../machinery/go-format.ts';
import { parseIp } from '../../../machinery/ip.ts';
import { validateLegacyCidr, validateLegacyIp } from '../../../machinery/ip-validation.ts';
import { checkDns1123Label, checkDns1123Subdomain, checkPortName, checkPortNumber, checkQualifiedName } from '../../../machinery/names.ts';
import { validateLabels } from '../../../machinery/object-meta-validation.ts';
import type { ServicePort } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { validateEndpointIp } from '../../common/endpoint-ip.ts';
import {
  validateClusterIps,
  validateClusterIpsUpdate,
  validateIpFamiliesUpdate,
} from '../../common/service-network/cluster-ip-validation.ts';
import { isExternallyAccessible, isHeadless, needsHealthCheck } from '../../common/service-network/service-object.ts';
import type { ServiceObject } from '../../common/service-network/service-object.ts';

const maxClientIpAffinitySeconds = 86400;
const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const topologyMode = 'service.kubernetes.io/topology-mode';
const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";
const specPath = FieldPath.root('spec');
const portsPath = specPath.child('ports');
const annotationsPath = FieldPath.root('metadata', 'annotations');

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinities = ['ClientIP', 'None'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const trafficPolicies = ['Cluster', 'Local'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

export function validateService(service: ServiceObject, old: ServiceObject | undefined, features: FeatureGates): FieldError[] {
  return [
    ...validateTopologyAnnotations(service),
    ...validateType(service),
    ...validatePorts(service),
    ...validateLabels(service.spec.selector, specPath.child('selector')),
    ...validateAffinity(service),
    ...validateClusterIps(service, old, features),
    ...validateExternalIps(service, old, features),
    ...oneOf(service.spec.type, serviceTypes, specPath.child('type')),
    ...validateNodePorts(service),
    ...validateSourceRanges(service, old, features),
    ...validateLoadBalancerFields(service),
    ...validateTrafficPolicies(service),
  ];
}

export function validateServiceUpdate(service: ServiceObject, old: ServiceObject, features: FeatureGates): FieldError[] {
  const errors = [...validateClusterIpsUpdate(service, old), ...validateIpFamiliesUpdate(service, old)];
  const { loadBalancerClass, type, healthCheckNodePort = 0 } = service.spec;
  if (type === 'LoadBalancer' && old.spec.type === 'LoadBalancer' && loadBalancerClass !== old.spec.loadBalancerClass) {
    errors.push(invalid(specPath.child('loadBalancerClass'), loadBalancerClass ?? null, 'may not change once set'));
  }
  append(errors, validateLoadBalancerClass(service));
  if (needsHealthCheck(service) && needsHealthCheck(old) && healthCheckNodePort !== (old.spec.healthCheckNodePort ?? 0)) {
    errors.push(forbidden(specPath.child('healthCheckNodePort'), 'field is immutable'));
  }
  return [...errors, ...validateService(service, old, features)];
}

function problems(path: FieldPath, value: unknown, found: readonly string[]): FieldError[] {
  return found.map((problem) => invalid(path, value, problem));
}

/** Required, and one of these. */
function oneOf(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  if (!value) return [required(path, '')];
  return supported.includes(value) ? [] : [notSupported(path, typedValue(value), supported)];
}

function validateTopologyAnnotations({ metadata: { annotations = {} } }: ServiceObject): FieldError[] {
  const { [topologyHints]: hints, [topologyMode]: mode } = annotations;
  if (hints === undefined || mode === undefined || hints === mode) return [];
  return [invalid(annotationsPath.key(topologyMode), mode, `must match annotations[${topologyHints}] when both are specified`)];
}

function validateType(service: ServiceObject): FieldError[] {
  const { type, ports, clusterIPs, ipFamilies, ipFamilyPolicy, externalName = '' } = service.spec;
  const headless = isHeadless(service);
  const errors = !ports?.length && !headless && type !== 'ExternalName' ? [required(portsPath, '')] : [];
  if (headless && (type === 'LoadBalancer' || type === 'NodePort')) {
    errors.push(invalid(specPath.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type !== 'ExternalName') return errors;
  const notHere = 'may not be set for ExternalName services';
  if (clusterIPs?.length) errors.push(forbidden(specPath.child('clusterIPs'), notHere));
  if (ipFamilies?.length) errors.push(forbidden(specPath.child('ipFamilies'), notHere));
  if (ipFamilyPolicy !== undefined) errors.push(forbidden(specPath.child('ipFamilyPolicy'), notHere));
  const name = externalName.endsWith('.') ? externalName.slice(0, -1) : externalName;
  const path = specPath.child('externalName');
  return [...errors, ...(name === '' ? [required(path, '')] : problems(path, name, checkDns1123Subdomain(name)))];
}

function validatePorts({ spec: { ports = [] } }: ServiceObject): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => validatePort(port, portsPath.index(index), ports.length > 1, names));
}

function validatePort(port: ServicePort, path: FieldPath, nameRequired: boolean, names: Set<string>): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', targetPort = 0, appProtocol } = port;
  if (name !== '') {
    append(errors, problems(path.child('name'), name, checkDns1123Label(name)));
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
  } else if (nameRequired) errors.push(required(path.child('name'), ''));
  append(errors, problems(path.child('port'), port.port, checkPortNumber(port.port)));
  append(errors, oneOf(port.protocol, protocols, path.child('protocol')));
  const targetProblems = typeof targetPort === 'number' ? checkPortNumber(targetPort) : checkPortName(targetPort);
  append(errors, problems(path.child('targetPort'), targetPort, targetProblems));
  if (appProtocol !== undefined) append(errors, problems(path.child('appProtocol'), appProtocol, checkQualifiedName(appProtocol)));
  return errors;
}

function validateAffinity({ spec: { sessionAffinity, sessionAffinityConfig: config } }: ServiceObject): FieldError[] {
  const errors = oneOf(sessionAffinity, affinities, specPath.child('sessionAffinity'));
  const path = specPath.child('sessionAffinityConfig');
  if (sessionAffinity === 'None' && config !== undefined) {
    errors.push(forbidden(path, 'must not be set when session affinity is None'));
  }
  if (sessionAffinity !== 'ClientIP') return errors;
  const timeout = config?.clientIP?.timeoutSeconds;
  const needed = 'when session affinity type is ClientIP';
  if (config === undefined) errors.push(required(path, needed));
  else if (config.clientIP === undefined) errors.push(required(path.child('clientIP'), needed));
  else if (timeout === undefined) errors.push(required(path.child('clientIP', 'timeoutSeconds'), needed));
  else if (timeout <= 0 || timeout > maxClientIpAffinitySeconds) {
    const detail = `must be greater than 0 and less than ${maxClientIpAffinitySeconds}`;
    errors.push(invalid(path.child('clientIP', 'timeoutSeconds'), timeout, detail));
  }
  return errors;
}

function validateExternalIps({ spec }: ServiceObject, old: ServiceObject | undefined, features: FeatureGates): FieldError[] {
  const strict = features.enabled('StrictIPCIDRValidation');
  return (spec.externalIPs ?? []).flatMap((ip, index) => {
    const path = specPath.child('externalIPs').index(index);
    const errors = validateLegacyIp(ip, path, strict, old?.spec.externalIPs);
    return errors.length > 0 ? errors : validateEndpointIp(ip, path);
  });
}

function validateNodePorts({ spec: { type, ports = [] } }: ServiceObject): FieldError[] {
  const nodePortPath = (index: number): FieldPath => portsPath.index(index).child('nodePort');
  const errors: FieldError[] = [];
  ports.forEach(({ nodePort }, index) => {
    if (type === 'ClusterIP' && nodePort) errors.push(forbidden(nodePortPath(index), "may not be used when `type` is 'ClusterIP'"));
  });
  const nodePorts = new Set<string>();
  ports.forEach(({ protocol, nodePort }, index) => {
    if (!nodePort) return;
    if (nodePorts.has(`${protocol} ${nodePort}`)) errors.push(duplicate(nodePortPath(index), nodePort));
    nodePorts.add(`${protocol} ${nodePort}`);
  });
  const pairs = new Set<string>();
  ports.forEach(({ protocol, port }, index) => {
    if (pairs.has(`${protocol} ${port}`)) errors.push(duplicate(portsPath.index(index), portKey(protocol, port)));
    pairs.add(`${protocol} ${port}`);
  });
  return errors;
}

/** Upstream prints a port of its internal type with only these two fields set. */
function portKey(protocol: string | undefined, port: number): LiteralValue {
  const fields = { Name: '', Protocol: protocol ?? '', AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
  return new LiteralValue(goJson(fields));
}

function validateSourceRanges({ metadata, spec }: ServiceObject, old: ServiceObject | undefined, features: FeatureGates): FieldError[] {
  const strict = features.enabled('StrictIPCIDRValidation');
  const { loadBalancerSourceRanges: ranges = [], type } = spec;
  const annotation = metadata.annotations?.[sourceRanges];
  // Both may be padded with spaces, and the field's path has a capital: history.
  const path = ranges.length > 0 ? specPath.child('LoadBalancerSourceRanges') : annotationsPath.key(sourceRanges);
  if (ranges.length === 0 && annotation === undefined) return [];
  const errors = type === 'LoadBalancer' ? [] : [forbidden(path, onlyForLoadBalancers)];
  if (ranges.length > 0) {
    const existing = (old?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    return [...errors, ...ranges.flatMap((range, index) => validateLegacyCidr(range.trim(), path.index(index), strict, existing))];
  }
  const text = (annotation ?? '').trim();
  if (text === '' || old?.metadata.annotations?.[sourceRanges] === annotation) return errors;
  return [...errors, ...text.split(',').flatMap((range) => validateLegacyCidr(range.trim(), path, strict))];
}

function validateLoadBalancerFields(service: ServiceObject): FieldError[] {
  const { type, allocateLoadBalancerNodePorts: allocate } = service.spec;
  const errors: FieldError[] = [];
  if (allocate !== undefined && type !== 'LoadBalancer') {
    errors.push(forbidden(specPath.child('allocateLoadBalancerNodePorts'), onlyForLoadBalancers));
  }
  if (allocate === undefined && type === 'LoadBalancer') errors.push(required(FieldPath.root('allocateLoadBalancerNodePorts'), ''));
  return [...errors, ...validateLoadBalancerClass(service)];
}

function validateLoadBalancerClass({ spec: { type, loadBalancerClass } }: ServiceObject): FieldError[] {
  if (loadBalancerClass === undefined) return [];
  const path = specPath.child('loadBalancerClass');
  return type === 'LoadBalancer'
    ? problems(path, loadBalancerClass, checkQualifiedName(loadBalancerClass))
    : [forbidden(path, onlyForLoadBalancers)];
}

function validateTrafficPolicies(service: ServiceObject): FieldError[] {
  const { type, externalTrafficPolicy = '', healthCheckNodePort = 0, internalTrafficPolicy, trafficDistribution } = service.spec;
  const errors: FieldError[] = [];
  const externalPath = specPath.child('externalTrafficPolicy');
  if (isExternallyAccessible(service)) append(errors, oneOf(externalTrafficPolicy, trafficPolicies, externalPath));
  else if (externalTrafficPolicy !== '') {
    errors.push(invalid(externalPath, typedValue(externalTrafficPolicy), 'may only be set for externally-accessible services'));
  }
  const healthPath = specPath.child('healthCheckNodePort');
  if (!needsHealthCheck(service)) {
    if (healthCheckNodePort !== 0) {
      const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
      errors.push(invalid(healthPath, healthCheckNodePort, detail));
    }
  } else if (healthCheckNodePort === 0) errors.push(required(healthPath, ''));
  else append(errors, problems(healthPath, healthCheckNodePort, checkPortNumber(healthCheckNodePort)));
  const internalPath = specPath.child('internalTrafficPolicy');
  if (internalTrafficPolicy === undefined) {
    if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer') errors.push(required(internalPath, ''));
  } else if (!trafficPolicies.includes(internalTrafficPolicy)) {
    errors.push(notSupported(internalPath, typedValue(internalTrafficPolicy), trafficPolicies));
  }
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution)) {
    errors.push(notSupported(specPath.child('trafficDistribution'), trafficDistribution, distributions));
  }
  return errors;
}

const ipModes = ['Proxy', 'VIP'];

export function validateServiceStatus({ spec, status }: ServiceObject, old: ServiceObject, features: FeatureGates): FieldError[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  const path = FieldPath.root('status', 'loadBalancer', 'ingress');
  if (spec.type !== 'LoadBalancer') {
    return ingress.length === 0 ? [] : [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const existing = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress.flatMap(({ ip = '', ipMode, hostname = '' }, index) => {
    const at = path.index(index);
    const errors = ip === '' ? [] : validateLegacyIp(ip, at.child('ip'), features.enabled('StrictIPCIDRValidation'), existing);
    const modePath = at.child('ipMode');
    if (ipMode === undefined) {
      if (ip !== '') errors.push(required(modePath, 'must be specified when `ip` is set'));
    } else if (ip === '') errors.push(forbidden(modePath, 'may not be specified when `ip` is not set'));
    else if (!ipModes.includes(ipMode)) errors.push(notSupported(modePath, typedValue(ipMode), ipModes));
    if (hostname === '') return errors;
    append(errors, problems(at.child('hostname'), hostname, checkDns1123Subdomain(hostname)));
    if (parseIp(hostname) !== undefined) errors.push(invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
    return errors;
  });
}
