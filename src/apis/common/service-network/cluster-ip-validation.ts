// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateServiceClusterIPsRelatedFields, #validateUpgradeDowngrade*
import { append } from '../../../machinery/append.ts';
import { FieldPath, duplicate, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { validateLegacyIp } from '../../../machinery/ip-validation.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { none, familyOf, isHeadless, needsClusterIp } from './service-object.ts';
import type { ServiceObject } from './service-object.ts';

const specPath = FieldPath.root('spec');
const ipsPath = specPath.child('clusterIPs');
const familiesPath = specPath.child('ipFamilies');
const policyPath = specPath.child('ipFamilyPolicy');
const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy, each and against each other. */
export function validateClusterIps(service: ServiceObject, old: ServiceObject | undefined, features: FeatureGates): FieldError[] {
  if (!needsClusterIp(service)) return [];
  const { clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = service.spec;
  const errors: FieldError[] = [];
  if (clusterIP === '') {
    if (clusterIPs.length > 0) errors.push(invalid(ipsPath, clusterIPs, 'must be empty when `clusterIP` is not specified'));
  } else if (clusterIPs.length === 0) {
    errors.push(required(ipsPath, ''));
  } else if (clusterIPs[0] !== clusterIP) {
    errors.push(invalid(ipsPath, clusterIPs, 'first value must match `clusterIP`'));
  }
  const repeats = repeatsIn(ipFamilies);
  ipFamilies.forEach((family, index) => {
    if (!families.includes(family)) errors.push(notSupported(familiesPath.index(index), typedValue(family), families));
    if (repeats.has(index)) errors.push(duplicate(familiesPath.index(index), typedValue(family)));
  });
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) {
    errors.push(notSupported(policyPath, typedValue(ipFamilyPolicy), policies));
  }
  const badIps = validateAddresses(clusterIPs, old?.spec.clusterIPs, features.enabled('StrictIPCIDRValidation'));
  append(errors, badIps);
  if (clusterIPs.length > 2) errors.push(invalid(ipsPath, clusterIPs, 'may only hold up to 2 values'));
  // What follows would only mislead when an address cannot be read.
  if (badIps.length > 0) return errors;

  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size < 2) {
    errors.push(invalid(ipsPath, clusterIPs, 'may specify no more than one IP for each IP family'));
  }
  if (isHeadless(service)) return errors;
  for (const [index, family] of ipFamilies.entries()) {
    const address = clusterIPs[index];
    if (address !== undefined && families.includes(family) && familyOf(address) !== family) {
      errors.push(invalid(ipsPath.index(index), address, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``));
    }
  }
  return errors;
}

function validateAddresses(addresses: readonly string[], existing: readonly string[] | undefined, strict: boolean): FieldError[] {
  return addresses.flatMap((address, index) => {
    if (index === 0 && address === none) {
      return addresses.length > 1 ? [invalid(ipsPath, addresses, "'None' must be the first and only value")] : [];
    }
    return validateLegacyIp(address, ipsPath.index(index), strict, existing);
  });
}

const unchangeable = 'may not change once set';

/** A second address may come and go, the first one stays. */
export function validateClusterIpsUpdate(service: ServiceObject, old: ServiceObject): FieldError[] {
  if (!needsClusterIp(service) || !needsClusterIp(old) || (isHeadless(service) && isHeadless(old))) return [];
  const { clusterIPs = [], ipFamilyPolicy } = service.spec;
  const { clusterIPs: before = [] } = old.spec;
  if (before.length === clusterIPs.length) {
    return before.flatMap((address, index) =>
      address === clusterIPs[index] ? [] : [invalid(ipsPath.index(index), clusterIPs, unchangeable)],
    );
  }
  const errors: FieldError[] = [];
  if (clusterIPs.length === 0) errors.push(invalid(ipsPath.index(0), service.spec.clusterIPs, 'primary clusterIP can not be unset'));
  else if (before.length > 0 && clusterIPs[0] !== before[0]) errors.push(invalid(ipsPath.index(0), clusterIPs, unchangeable));
  if (before.length > clusterIPs.length && clusterIPs.length === 1 && ipFamilyPolicy !== 'SingleStack') {
    errors.push(invalid(policyPath, typedValue(ipFamilyPolicy), "must be set to 'SingleStack' when releasing the secondary clusterIP"));
  }
  return errors;
}

export function validateIpFamiliesUpdate(service: ServiceObject, old: ServiceObject): FieldError[] {
  if (!needsClusterIp(service) || !needsClusterIp(old) || isHeadless(service) || isHeadless(old)) return [];
  const { ipFamilies = [], clusterIPs, ipFamilyPolicy } = service.spec;
  const { ipFamilies: before = [] } = old.spec;
  if (before.length === ipFamilies.length) {
    return before.flatMap((family, index) =>
      family === ipFamilies[index] ? [] : [invalid(familiesPath.index(0), ipFamilies, unchangeable)],
    );
  }
  const errors: FieldError[] = [];
  if (before.length > ipFamilies.length && !clusterIPs?.length) {
    errors.push(invalid(familiesPath.index(0), service.spec.ipFamilies, 'primary ipFamily can not be unset'));
  }
  if (before.length > 0 && ipFamilies.length > 0 && ipFamilies[0] !== before[0]) {
    // The addresses are shown where the families belong, as upstream does.
    errors.push(invalid(familiesPath.index(0), clusterIPs, unchangeable));
  }
  if (before.length > ipFamilies.length && ipFamilies.length === 1 && ipFamilyPolicy !== 'SingleStack') {
    errors.push(invalid(policyPath, typedValue(ipFamilyPolicy), "must be set to 'SingleStack' when releasing the secondary ipFamily"));
  }
  return errors;
}
