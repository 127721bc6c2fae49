// Upstream: k8s.io/apiserver/pkg/authentication/serviceaccount/util.go
import { nameIsDnsLabel, nameIsDnsSubdomain } from '../../../../machinery/names.ts';
import type { UserInfo } from '../../../request/user.ts';
import { credentialIdKey } from '../../../request/user.ts';

const userPrefix = 'system:serviceaccount:';

/** A service account as its token describes it. */
export interface AccountIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly pod?: { readonly name: string; readonly uid: string } | undefined;
  readonly node?: { readonly name: string; readonly uid: string } | undefined;
  readonly validatingWebhookConfiguration?: { readonly name: string; readonly uid: string } | undefined;
  readonly mutatingWebhookConfiguration?: { readonly name: string; readonly uid: string } | undefined;
  /** groups of whose objects it may show itself to a webhook */
  readonly admissionReviewAPIGroups?: readonly string[] | undefined;
  readonly credentialId?: string | undefined;
}

export function accountUserName(namespace: string, name: string): string {
  return `${userPrefix}${namespace}:${name}`;
}

/** Namespace and name of the account that a user name stands for; undefined when it is none. */
export function accountOfUser(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(userPrefix)) return undefined;
  const [namespace = '', name, ...more] = user.slice(userPrefix.length).split(':');
  if (name === undefined || more.length > 0) return undefined;
  if (nameIsDnsLabel(namespace, false).length > 0 || nameIsDnsSubdomain(name, false).length > 0) return undefined;
  return { namespace, name };
}

export function accountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

export function accountUser(identity: AccountIdentity): UserInfo {
  const { namespace, name, uid, pod, node, credentialId, admissionReviewAPIGroups = [] } = identity;
  const extra: Record<string, string[]> = {};
  if (credentialId !== undefined) extra[credentialIdKey] = [credentialId];
  if (node !== undefined) {
    extra['authentication.kubernetes.io/node-name'] = [node.name];
    if (node.uid !== '') extra['authentication.kubernetes.io/node-uid'] = [node.uid];
  }
  if (pod !== undefined) {
    extra['authentication.kubernetes.io/pod-name'] = [pod.name];
    extra['authentication.kubernetes.io/pod-uid'] = [pod.uid];
  }
  for (const kind of ['validatingWebhookConfiguration', 'mutatingWebhookConfiguration'] as const) {
    const configuration = identity[kind];
    if (configuration === undefined) continue;
    extra[`authentication.kubernetes.io/${kind.toLowerCase()}-name`] = [configuration.name];
    extra[`authentication.kubernetes.io/${kind.toLowerCase()}-uid`] = [configuration.uid];
  }
  if (admissionReviewAPIGroups.length > 0)
    extra['attestation.authentication.kubernetes.io/admissionReviewAPIGroups'] = [...admissionReviewAPIGroups];
  return { name: accountUserName(namespace, name), uid, groups: accountGroups(namespace), extra };
}
