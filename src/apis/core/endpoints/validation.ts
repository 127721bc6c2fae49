// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateEndpoints
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { validateLegacyIp } from '../../../machinery/ip-validation.ts';
import { checkDns1123Label, checkPortNumber, checkQualifiedName, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateEndpointIp } from '../../common/endpoint-ip.ts';

type EndpointsObject = Endpoints & KubeObject;

const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

export function validate({ subsets = [] }: EndpointsObject, { features }: WriteContext): FieldError[] {
  const strict = features.enabled('StrictIPCIDRValidation');
  return subsets.flatMap((subset, index) => validateSubset(subset, Path.root('subsets').index(index), strict));
}

/** Unchanged subsets stay, whatever the rules were when they were written. */
export function validateUpdate(object: EndpointsObject, old: EndpointsObject, context: WriteContext): FieldError[] {
  const errors = validateMetadata(object.metadata, true);
  return semanticDeepEqual(object.subsets, old.subsets) ? errors : [...errors, ...validate(object, context)];
}

function validateSubset(
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
  path: FieldPath,
  strict: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0 && notReadyAddresses.length === 0) {
    errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
  }
  addresses.forEach((address, index) => append(errors, validateAddress(address, path.child('addresses').index(index), strict)));
  notReadyAddresses.forEach((address, index) =>
    append(errors, validateAddress(address, path.child('notReadyAddresses').index(index), strict)),
  );
  ports.forEach((port, index) => append(errors, validatePort(port, ports.length > 1, path.child('ports').index(index))));
  return errors;
}

function validateAddress({ ip, hostname, nodeName }: EndpointAddress, path: FieldPath, strict: boolean): FieldError[] {
  const errors = validateLegacyIp(ip, path.child('ip'), strict);
  if (hostname)
    append(
      errors,
      checkDns1123Label(hostname).map((problem) => invalid(path.child('hostname'), hostname, problem)),
    );
  if (nodeName !== undefined) {
    append(
      errors,
      nameIsDnsSubdomain(nodeName, false).map((problem) => invalid(path.child('nodeName'), nodeName, problem)),
    );
  }
  return [...errors, ...validateEndpointIp(ip, path.child('ip'))];
}

function validatePort({ name = '', port, protocol = '', appProtocol }: EndpointPort, needsName: boolean, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (name !== '')
    append(
      errors,
      checkDns1123Label(name).map((problem) => invalid(path.child('name'), name, problem)),
    );
  else if (needsName) errors.push(required(path.child('name'), ''));
  append(
    errors,
    checkPortNumber(port).map((problem) => invalid(path.child('port'), port, problem)),
  );
  if (protocol === '') errors.push(required(path.child('protocol'), ''));
  else if (!protocols.includes(protocol)) errors.push(notSupported(path.child('protocol'), typedValue(protocol), protocols));
  if (appProtocol !== undefined) {
    append(
      errors,
      checkQualifiedName(appProtocol).map((problem) => invalid(path.child('appProtocol'), appProtocol, problem)),
    );
  }
  return errors;
}
