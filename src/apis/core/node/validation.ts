// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateNode, #ValidateNodeUpdate
import { append } from '../../../machinery/append.ts';
import { FieldError, FieldPath, duplicate, forbidden, internalError, invalid } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { isIpv4, parseCidr } from '../../../machinery/ip.ts';
import { validateLegacyCidr } from '../../../machinery/ip-validation.ts';
import { dns1123SubdomainMaxLength, checkLabelValue, isLongerThan } from '../../../machinery/names.ts';
import { validateLabelName } from '../../../machinery/object-meta-validation.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { Node, NodeAddress, Taint } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateTaintEffect } from '../../common/pod-spec/tolerations.ts';
import { validateResourceQuantity } from '../../common/resource-names.ts';

export type NodeObject = Node & KubeObject;

const specPath = FieldPath.root('spec');
const statusPath = FieldPath.root('status');
// A quirk of upstream: taints and swap are said to be in the metadata.
const taintsPath = FieldPath.root('metadata', 'taints');
const swapPath = FieldPath.root('metadata', 'nodeSwapStatus');
const podCidrsFixed = 'node updates may not change podCIDR except from "" to valid';
const declaredFeature = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/;

export const podCidrsPath = specPath.child('podCIDRs');

export function validate({ spec, status }: NodeObject, { features }: WriteContext): FieldError[] {
  const swap = status.nodeInfo.swap?.capacity;
  return [
    ...validateTaints(spec.taints ?? []),
    ...validateResources(status),
    ...(swap !== undefined && BigInt(swap) <= 0n ? [invalid(swapPath.child('capacity'), swap, 'must be greater than 0')] : []),
    ...validateDeclaredFeatures(status.declaredFeatures ?? []),
    ...validatePodCidrs(spec.podCIDRs ?? [], features.enabled('StrictIPCIDRValidation')),
  ];
}

export function validateUpdate(node: NodeObject, old: NodeObject, context: WriteContext): FieldError[] {
  return [...validateMetadata(node.metadata, false), ...validate(node, context), ...validateChange(node, old)];
}

/** What holds for a change of the status, too. */
export function validateChange({ spec, status }: NodeObject, old: NodeObject): FieldError[] {
  return [
    ...validateResources(status),
    ...validateDeclaredFeatures(status.declaredFeatures ?? []),
    ...validateAddresses(status.addresses ?? []),
    ...validatePodCidrChange(spec.podCIDRs ?? [], old.spec.podCIDRs ?? []),
    ...validateProviderId(spec.providerID ?? '', old.spec.providerID ?? ''),
    ...validateTaints(spec.taints ?? []),
    ...((spec.externalID ?? '') === (old.spec.externalID ?? '') ? [] : [forbidden(specPath.child('externalID'), 'may not be updated')]),
  ];
}

function validateTaints(taints: readonly Taint[]): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const path = taintsPath.index(index);
    const { key, value = '', effect } = taint;
    const errors = validateLabelName(key, path.child('key'));
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalid(path.child('value'), value, problems.join(';')));
    append(errors, validateTaintEffect(effect, path.child('effect')));
    const identity = `${effect} ${key}`;
    if (seen.has(identity)) {
      // Upstream shows its own type, which has no JSON names.
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null };
      errors.push(new FieldError('FieldValueDuplicate', path, shown, 'taints must be unique by key and effect pair'));
    }
    seen.add(identity);
    return errors;
  });
}

function validateResources(status: NodeObject['status']): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((field) =>
    Object.entries(status[field] ?? {}).flatMap(([name, amount]) =>
      validateResourceQuantity(name, Quantity.parse(amount), statusPath.child(field, name)),
    ),
  );
}

function validateDeclaredFeatures(names: readonly string[]): FieldError[] {
  const path = statusPath.child('declaredFeatures');
  return names.flatMap((name, index) => {
    const errors = declaredFeatureProblems(name).map((problem) => invalid(path.index(index), name, problem));
    const next = names[index + 1];
    if (next === name) errors.push(duplicate(path.index(index + 1), next));
    else if (next !== undefined && name > next) errors.push(invalid(path.index(index + 1), next, 'list must be sorted alphabetically'));
    return errors;
  });
}

function declaredFeatureProblems(name: string): string[] {
  const is = `invalid feature name ${goQuote(name)}:`;
  if (isLongerThan(name, dns1123SubdomainMaxLength)) return [`${is} must be no more than ${dns1123SubdomainMaxLength} characters`];
  if (declaredFeature.test(name)) return [];
  const form = "must start with an UpperCamelCase segment, with subsequent segments separated by '/'";
  return [`${is} ${form} (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`];
}

function validatePodCidrs(cidrs: readonly string[], strict: boolean): FieldError[] {
  const errors = cidrs.flatMap((cidr, index) => validateLegacyCidr(cidr, podCidrsPath.index(index), strict));
  if (cidrs.length < 2) return errors;
  const families = new Set(cidrs.map((cidr) => familyOf(cidr)));
  if (families.has(true) && families.has(false) && cidrs.length === 2) return errors;
  const broken = cidrs.findIndex((cidr) => parseCidr(cidr) === undefined);
  if (broken >= 0) {
    const why = `invalid CIDR[${broken}]: <nil> (invalid CIDR address: ${cidrs[broken]})`;
    errors.push(internalError(podCidrsPath, `invalid PodCIDRs. failed to check with dual stack with error:${why}`));
  }
  return [...errors, invalid(podCidrsPath, cidrs, 'may specify no more than one CIDR for each IP family')];
}

function familyOf(cidr: string): boolean | undefined {
  const parsed = parseCidr(cidr);
  return parsed && isIpv4(parsed.ip);
}

function validateAddresses(addresses: readonly NodeAddress[]): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap((address, index) => {
    const identity = `${address.type} ${address.address}`;
    if (seen.has(identity)) return [duplicate(statusPath.child('addresses').index(index), address)];
    seen.add(identity);
    return [];
  });
}

/** Ranges are assigned once. */
function validatePodCidrChange(cidrs: readonly string[], old: readonly string[]): FieldError[] {
  if (old.length === 0) return [];
  if (old.length !== cidrs.length) return [forbidden(podCidrsPath, podCidrsFixed)];
  return old.filter((cidr, index) => cidr !== cidrs[index]).map(() => forbidden(podCidrsPath, podCidrsFixed));
}

function validateProviderId(id: string, old: string): FieldError[] {
  if (old === '' || id === old) return [];
  const detail = id === '' ? 'field cannot be cleared once set' : 'field cannot be modified once set';
  return [invalid(specPath.child('providerID'), null, detail)];
}
