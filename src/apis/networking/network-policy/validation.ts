// Upstream: k8s.io/kubernetes/pkg/apis/networking/validation/validation.go#ValidateNetworkPolicy
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { cidrContains, parseCidr } from '../../../machinery/ip.ts';
import { validateLegacyCidr } from '../../../machinery/ip-validation.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { checkPortName, checkPortNumber } from '../../../machinery/names.ts';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../../schema/types/networking-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { blocksOf, rulesOf } from './rules.ts';

type Policy = NetworkPolicy & KubeObject;

interface Options {
  readonly allowInvalidLabelValue: boolean;
  readonly strictCidrs: boolean;
  /** what the stored policy has already, and may keep */
  readonly knownCidrs: readonly string[];
}

const specPath = Path.root('spec');
const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];
const policyTypes: readonly string[] = ['Ingress', 'Egress'];

export function validate(policy: Policy, { features }: WriteContext): FieldError[] {
  const strictCidrs = features.enabled('StrictIPCIDRValidation');
  return validateSpec(policy, { allowInvalidLabelValue: false, strictCidrs, knownCidrs: [] });
}

export function validateUpdate(policy: Policy, old: Policy, { features }: WriteContext): FieldError[] {
  return validateSpec(policy, {
    allowInvalidLabelValue: validateLabelSelector(old.spec.podSelector, specPath).length > 0,
    strictCidrs: features.enabled('StrictIPCIDRValidation'),
    knownCidrs: blocksOf(old.spec, specPath).flatMap(({ block }) => [block.cidr, ...(block.except ?? [])]),
  });
}

function validateSpec({ spec }: Policy, options: Options): FieldError[] {
  const errors = validateLabelSelector(spec.podSelector, specPath.child('podSelector'), options);
  for (const { ports, peers, direction, index, peersField } of rulesOf(spec)) {
    const path = specPath.child(direction).index(index);
    ports.forEach((port, at) => append(errors, validatePort(port, path.child('ports').index(at))));
    peers.forEach((peer, at) => append(errors, validatePeer(peer, path.child(peersField).index(at), options)));
  }
  const { policyTypes: types = [] } = spec;
  const typesPath = specPath.child('policyTypes');
  if (types.length > policyTypes.length) errors.push(invalid(typesPath, types, 'may not specify more than two policyTypes'));
  else {
    types.forEach((type, index) => {
      if (!policyTypes.includes(type)) errors.push(notSupported(typesPath.index(index), typedValue(type), policyTypes));
    });
  }
  return errors;
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const endPath = path.child('endPort');
  if (protocol !== undefined && !protocols.includes(protocol)) {
    errors.push(notSupported(path.child('protocol'), typedValue(protocol), protocols));
  }
  if (port === undefined) {
    if (endPort !== undefined) errors.push(invalid(endPath, endPort, 'may not be specified when `port` is not specified'));
  } else if (typeof port === 'number') {
    append(
      errors,
      checkPortNumber(port).map((problem) => invalid(path.child('port'), port, problem)),
    );
    if (endPort !== undefined) {
      if (endPort < port) errors.push(invalid(endPath, endPort, 'must be greater than or equal to `port`'));
      append(
        errors,
        checkPortNumber(endPort).map((problem) => invalid(endPath, endPort, problem)),
      );
    }
  } else {
    if (endPort !== undefined) errors.push(invalid(endPath, endPort, 'may not be specified when `port` is non-numeric'));
    append(
      errors,
      checkPortName(port).map((problem) => invalid(path.child('port'), port, problem)),
    );
  }
  return errors;
}

function validatePeer({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, path: FieldPath, options: Options): FieldError[] {
  const errors = [
    ...validateLabelSelector(podSelector, path.child('podSelector'), options),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), options),
    ...(ipBlock === undefined ? [] : validateBlock(ipBlock, path.child('ipBlock'), options)),
  ];
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && ipBlock === undefined) errors.push(required(path, 'must specify a peer'));
  else if (selects && ipBlock !== undefined) errors.push(forbidden(path, 'may not specify both ipBlock and another peer'));
  return errors;
}

function validateBlock({ cidr, except = [] }: IPBlock, path: FieldPath, { strictCidrs, knownCidrs }: Options): FieldError[] {
  if (cidr === '') return [required(path.child('cidr'), '')];
  const errors = validateLegacyCidr(cidr, path.child('cidr'), strictCidrs, knownCidrs);
  const outer = parseCidr(cidr);
  if (outer === undefined) return errors;
  except.forEach((text, index) => {
    const at = path.child('except').index(index);
    append(errors, validateLegacyCidr(text, at, strictCidrs, knownCidrs));
    const inner = parseCidr(text);
    if (inner === undefined) return;
    const within = cidrContains(outer, { ...inner.ip, value: inner.network }) && outer.prefixLength < inner.prefixLength;
    if (!within) errors.push(invalid(at, text, 'must be a strict subset of `cidr`'));
  });
  return errors;
}
