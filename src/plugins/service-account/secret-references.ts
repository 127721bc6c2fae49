// Upstream: k8s.io/kubernetes/plugin/pkg/admission/serviceaccount/admission.go
import type { Container, EphemeralContainer, Pod, ServiceAccount } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { secretsOf } from '../../server/access/authz/pod-references.ts';

const enforceAnnotation = 'kubernetes.io/enforce-mountable-secrets';
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** The account allows its pods the secrets it lists, and no others. */
export function enforcesMountableSecrets({ metadata }: ServiceAccount): boolean {
  return trueTexts.has(metadata.annotations?.[enforceAnnotation] ?? '');
}

export function checkSecrets(attributes: AdmissionAttributes, account: ServiceAccount, { spec }: Pod): void {
  const [problem] = secretProblems(account, spec);
  if (problem !== undefined) throw forbid(attributes, problem);
}

/** Upstream's refusal is a plain error here, so that clients see a 500 with its text. */
export function checkEphemeralSecrets(account: ServiceAccount, { spec }: Pod): void {
  const [problem] = containerProblems('ephemeral container', spec.ephemeralContainers, mountable(account), account);
  if (problem !== undefined) throw new Error(problem);
}

/** A mirror pod is the kubelet's and has nothing of the API server's to use. */
export function checkMirrorPod(attributes: AdmissionAttributes, { spec }: Pod): void {
  if (spec.serviceAccountName) throw forbid(attributes, 'a mirror pod may not reference service accounts');
  if (secretsOf(spec).next().done !== true) throw forbid(attributes, 'a mirror pod may not reference secrets');
  if (spec.volumes?.some(({ projected }) => projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined))) {
    throw forbid(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}

function* secretProblems(account: ServiceAccount, spec: Pod['spec']): Generator<string> {
  const { name } = account.metadata;
  const allowed = mountable(account);
  for (const { secret } of spec.volumes ?? []) {
    if (secret !== undefined && !allowed.has(secret.secretName)) {
      yield `volume with secret.secretName="${secret.secretName ?? ''}" is not allowed because service account ${name} does not reference that secret`;
    }
  }
  yield* containerProblems('init container', spec.initContainers, allowed, account);
  yield* containerProblems('container', spec.containers, allowed, account);
  const pullSecrets = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name));
  for (const [index, secret] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pullSecrets.has(secret.name)) {
      yield `imagePullSecrets[${index}].name="${secret.name ?? ''}" is not allowed because service account ${name} does not reference that imagePullSecret`;
    }
  }
}

function* containerProblems(
  noun: string,
  containers: readonly (Container | EphemeralContainer)[] | null | undefined,
  allowed: ReadonlySet<string | undefined>,
  { metadata }: ServiceAccount,
): Generator<string> {
  for (const { name, env, envFrom } of containers ?? []) {
    const refused = (what: string, secret: string | undefined): string =>
      `${noun} ${name} with ${what} referencing secret.secretName="${secret ?? ''}" is not allowed because service account ${metadata.name} does not reference that secret`;
    for (const { name: variable, valueFrom } of env ?? []) {
      const reference = valueFrom?.secretKeyRef;
      if (reference !== undefined && !allowed.has(reference.name)) yield refused(`envVar ${variable}`, reference.name);
    }
    for (const { secretRef } of envFrom ?? []) {
      if (secretRef !== undefined && !allowed.has(secretRef.name)) yield refused('envFrom', secretRef.name);
    }
  }
}

function mountable({ secrets }: ServiceAccount): ReadonlySet<string | undefined> {
  return new Set((secrets ?? []).map(({ name }) => name));
}
