// Upstream: k8s.io/pod-security-admission/policy/check_seccompProfile_{baseline,restricted}.go
import type { CheckPod } from './check.ts';
import { containersOf, named, namesOf, quoted, setters, sorted } from './check.ts';

const isAllowed = (type: string): boolean => type === 'RuntimeDefault' || type === 'Localhost';

/** A profile that is set must be an allowed one. */
export const validSeccompProfile: CheckPod = ({ spec }) => {
  const ofPod = spec.securityContext?.seccompProfile;
  const podBad = ofPod !== undefined && !isAllowed(ofPod.type);
  const bad = containersOf(spec).filter(({ securityContext }) => {
    const profile = securityContext?.seccompProfile;
    return profile !== undefined && !isAllowed(profile.type);
  });
  if (!podBad && bad.length === 0) return undefined;
  const types = sorted([
    ...(podBad ? [ofPod.type] : []),
    ...bad.map(({ securityContext }) => securityContext?.seccompProfile?.type as string),
  ]);
  return {
    reason: 'seccompProfile',
    detail: `${setters(podBad, namesOf(bad))} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
};

/** And one is set, for every container. */
export const requiredSeccompProfile: CheckPod = (pod) => {
  const invalid = validSeccompProfile(pod);
  if (invalid !== undefined) return invalid;
  const { spec } = pod;
  if (spec.securityContext?.seccompProfile !== undefined) return undefined;
  const open = containersOf(spec).filter(({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (open.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${named(namesOf(open))} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
