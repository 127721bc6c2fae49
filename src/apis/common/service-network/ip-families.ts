// Upstream: k8s.io/kubernetes/pkg/registry/core/service/storage/alloc.go#initIPFamilyFields
import { append } from '../../../machinery/append.ts';
import { invalid } from '../../../machinery/errors.ts';
import { FieldPath, invalid as invalidField, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { IpFamily } from './cluster-ip-pool.ts';
import { validateClusterIps } from './cluster-ip-validation.ts';
import { none, familyOf, isSelectorlessHeadless, needsClusterIp, otherFamily, sameList } from './service-object.ts';
import type { ServiceObject } from './service-object.ts';

const specPath = FieldPath.root('spec');
const policyPath = specPath.child('ipFamilyPolicy');

/** Fills in ipFamilyPolicy and ipFamilies as the cluster has them. Throws invalid when what the client wrote cannot be had here. */
export function initIpFamilies(
  service: ServiceObject,
  old: ServiceObject | undefined,
  configured: readonly IpFamily[],
  features: FeatureGates,
): void {
  if (!needsClusterIp(service) || keepsPreferredDualStack(service, old)) return;
  const { spec } = service;
  spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? (isSelectorlessHeadless(service) ? 'RequireDualStack' : 'SingleStack');
  refuse(service, validateClusterIps(service, old, features));

  const errors = old === undefined ? [] : shrink(service, old);
  if (spec.ipFamilyPolicy === 'SingleStack') append(errors, tooManyForSingleStack(service));
  append(errors, inferFamilies(service, configured));
  refuse(service, errors);

  const families = (spec.ipFamilies ??= []);
  if (isSelectorlessHeadless(service)) {
    // What its endpoints will be is unknown, so it may have two families although the cluster has one.
    if (families.length === 0) families.push(configured[0] as IpFamily);
    if (families.length < 2 && spec.ipFamilyPolicy !== 'SingleStack') families.push(otherFamily(families[0] as string));
    return;
  }
  refuse(service, notConfigured(service, configured));
  if (families.length === 0) families.push(configured[0] as IpFamily);
  if (spec.ipFamilyPolicy !== 'SingleStack' && families.length === 1 && configured.length === 2) {
    families.push(otherFamily(families[0] as string));
  }
}

function refuse({ metadata }: ServiceObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, metadata.name ?? '', errors);
}

/** A service that prefers two families keeps what it has when the cluster changes; only who asks for a change gets one. */
export function keepsPreferredDualStack({ spec }: ServiceObject, old: ServiceObject | undefined): boolean {
  if (old === undefined || spec.ipFamilyPolicy !== 'PreferDualStack' || spec.type !== old.spec.type) return false;
  if ((old.spec.ipFamilyPolicy ?? 'PreferDualStack') !== 'PreferDualStack' || spec.type === 'ExternalName') return false;
  return sameList(old.spec.clusterIPs, spec.clusterIPs) && sameList(old.spec.ipFamilies, spec.ipFamilies);
}

function shrink({ spec }: ServiceObject, old: ServiceObject): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const { clusterIPs: oldIps = [], ipFamilies: oldFamilies = [] } = old.spec;
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameList(oldIps, clusterIPs) && clusterIPs.length > 1) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (sameList(oldFamilies, ipFamilies) && ipFamilies.length > 1) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const policy = typedValue(spec.ipFamilyPolicy);
  const errors: FieldError[] = [];
  if (clusterIPs.length > 0 && clusterIPs.length < oldIps.length) {
    errors.push(invalidField(policyPath, policy, "must be 'SingleStack' to release the secondary cluster IP"));
  }
  if (ipFamilies.length > 0 && ipFamilies.length < oldFamilies.length) {
    errors.push(invalidField(policyPath, policy, "must be 'SingleStack' to release the secondary IP family"));
  }
  return errors;
}

function tooManyForSingleStack({ spec }: ServiceObject): FieldError[] {
  const error = (what: string): FieldError =>
    invalidField(
      policyPath,
      typedValue(spec.ipFamilyPolicy),
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(spec.clusterIPs?.length === 2 ? [error('cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [error('IP families')] : []),
  ];
}

/** Addresses tell their families. */
function inferFamilies({ spec }: ServiceObject, configured: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
    if (address === none) break;
    const families = spec.ipFamilies ?? [];
    if (index < families.length) continue;
    const family = familyOf(address);
    if (configured.includes(family)) spec.ipFamilies = [...families, family];
    else
      errors.push(invalidField(specPath.child('clusterIPs').index(index), spec.clusterIPs, `${family} is not configured on this cluster`));
  }
  return errors;
}

function notConfigured({ spec }: ServiceObject, configured: readonly IpFamily[]): FieldError[] {
  const errors =
    spec.ipFamilyPolicy === 'RequireDualStack' && configured.length < 2
      ? [invalidField(policyPath, typedValue(spec.ipFamilyPolicy), 'this cluster is not configured for dual-stack services')]
      : [];
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (!(configured as readonly string[]).includes(family)) {
      errors.push(invalidField(specPath.child('ipFamilies').index(index), typedValue(family), 'not configured on this cluster'));
    }
  }
  return errors;
}
