// Upstream: k8s.io/kubernetes/pkg/apis/discovery/validation/validation.go
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, notSupported, required, tooMany, typedValue } from '../../../machinery/field.ts';
import { isIpv4, parseIp } from '../../../machinery/ip.ts';
import { validateIp, validateLegacyIp } from '../../../machinery/ip-validation.ts';
import { checkDns1123Label, checkLabelValue, checkQualifiedName, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { validateImmutable, validateLabels } from '../../../machinery/object-meta-validation.ts';
import { validateFullyQualifiedDomainName } from '../../../machinery/qualified-names.ts';
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from '../../../schema/types/discovery-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateEndpointIp } from '../../common/endpoint-ip.ts';

type Slice = EndpointSlice & KubeObject;

const addressTypes: readonly string[] = ['FQDN', 'IPv4', 'IPv6'];
const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];
const limits = { topologyLabels: 16, addresses: 100, ports: 20_000, endpoints: 1000, hints: 8 } as const;

export function validate(slice: Slice, context: WriteContext): FieldError[] {
  return validateSlice(slice, undefined, context);
}

export function validateUpdate(slice: Slice, old: Slice, context: WriteContext): FieldError[] {
  const immutable = validateImmutable(slice.addressType, old.addressType, Path.root('addressType'));
  return [
    ...validateMetadata(slice.metadata, true),
    ...validateSlice(slice, old, context),
    ...immutable.map((error) => error.withOrigin('immutable')),
  ];
}

function validateAddressType(type: string): FieldError[] {
  const path = Path.root('addressType');
  if (type === '') return [required(path, '')];
  return addressTypes.includes(type) ? [] : [notSupported(path, typedValue(type), addressTypes)];
}

function validateSlice({ addressType, endpoints, ports }: Slice, old: Slice | undefined, { features }: WriteContext): FieldError[] {
  const errors = [...validateAddressType(addressType), ...validatePorts(ports ?? [], Path.root('ports'))];
  // Unchanged endpoints stay, whatever the rules were when they were written.
  if (old !== undefined && semanticDeepEqual(old.endpoints, endpoints)) return errors;
  const path = Path.root('endpoints');
  const list = endpoints ?? [];
  if (list.length > limits.endpoints) return [...errors, tooMany(path, list.length, limits.endpoints)];
  const strict = features.enabled('StrictIPCIDRValidation');
  return [...errors, ...list.flatMap((endpoint, index) => validateEndpoint(endpoint, addressType, path.index(index), strict))];
}

function validateEndpoint(endpoint: Endpoint, addressType: string, path: FieldPath, strict: boolean): FieldError[] {
  const { nodeName, deprecatedTopology = {}, hostname, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const at = path.child('addresses');
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(at, 'must contain at least 1 address'));
  else if (addresses.length > limits.addresses) errors.push(tooMany(at, addresses.length, limits.addresses).withOrigin('maxItems'));
  addresses.forEach((address, index) => append(errors, validateAddress(address, addressType, at, index, strict)));
  if (nodeName !== undefined) {
    append(
      errors,
      nameIsDnsSubdomain(nodeName, false).map((problem) => invalid(path.child('nodeName'), nodeName, problem)),
    );
  }
  const labels = Object.keys(deprecatedTopology).length;
  const topologyPath = path.child('deprecatedTopology');
  if (labels > limits.topologyLabels) errors.push(tooMany(topologyPath, labels, limits.topologyLabels));
  append(errors, validateLabels(deprecatedTopology, topologyPath));
  if (hostname !== undefined) {
    append(
      errors,
      checkDns1123Label(hostname).map((problem) => invalid(path.child('hostname'), hostname, problem)),
    );
  }
  if (hints !== undefined) append(errors, validateHints(hints, path.child('hints')));
  return errors;
}

/** An address of a known type; those of an unknown one are not looked at. */
function validateAddress(address: string, type: string, path: FieldPath, index: number, strict: boolean): FieldError[] {
  const at = path.index(index);
  if (type === 'FQDN') return validateFullyQualifiedDomainName(address, at);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const errors = type === 'IPv4' ? validateLegacyIp(address, at, strict) : validateIp(address, at);
  if (errors.length > 0) return errors;
  const ip = parseIp(address);
  const right = ip !== undefined && isIpv4(ip) === (type === 'IPv4');
  // the list is named here, not the address
  return [...(right ? [] : [invalid(path, address, `must be an ${type} address`)]), ...validateEndpointIp(address, at)];
}

function validatePorts(ports: readonly EndpointPort[], path: FieldPath): FieldError[] {
  if (ports.length > limits.ports) return [tooMany(path, ports.length, limits.ports)];
  const seen = new Set<string>();
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const at = path.index(index);
    const errors = name === '' ? [] : checkDns1123Label(name).map((problem) => invalid(at.child('name'), name, problem));
    if (seen.has(name)) errors.push(duplicate(at.child('name'), typedValue(name)));
    seen.add(name);
    if (protocol === undefined) errors.push(required(at.child('protocol'), ''));
    else if (!protocols.includes(protocol)) errors.push(notSupported(at.child('protocol'), typedValue(protocol), protocols));
    if (appProtocol !== undefined) {
      append(
        errors,
        checkQualifiedName(appProtocol).map((problem) => invalid(at.child('appProtocol'), appProtocol, problem)),
      );
    }
    return errors;
  });
}

function validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: FieldPath): FieldError[] {
  if (forZones.length > limits.hints) return [tooMany(path.child('forZones'), forZones.length, limits.hints)];
  const errors = validateHintNames(forZones, path.child('forZones'), checkLabelValue);
  if (forNodes.length > limits.hints) return [...errors, tooMany(path.child('forNodes'), forNodes.length, limits.hints)];
  return [...errors, ...validateHintNames(forNodes, path.child('forNodes'), (name) => nameIsDnsSubdomain(name, false))];
}

function validateHintNames(
  hints: readonly { readonly name: string }[],
  path: FieldPath,
  rule: (name: string) => readonly string[],
): FieldError[] {
  const seen = new Set<string>();
  return hints.flatMap(({ name }, index) => {
    const at = path.index(index).child('name');
    const repeated = seen.has(name) ? [duplicate(at, name)] : [];
    seen.add(name);
    return [...repeated, ...rule(name).map((problem) => invalid(at, name, problem))];
  });
}
