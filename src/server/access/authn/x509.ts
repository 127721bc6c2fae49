// Upstream: k8s.io/apiserver/pkg/authentication/request/x509/x509.go
import { createHash } from 'node:crypto';
import type { Certificate } from '../../../base/x509/certificate.ts';
import type { CertificatePool } from '../../../base/x509/certificate-pool.ts';
import type { Histogram } from '../../../base/metrics.ts';
import type { UserInfo } from '../../request/user.ts';
import { credentialIdKey } from '../../request/user.ts';
import type { Authenticator } from './authenticator.ts';
import { withAuthenticatedGroup } from './authenticator.ts';
import type { Verdict } from './peer-certificate.ts';
import { peerVerifier } from './peer-certificate.ts';

/** 1.3.6.1.4.1.57683.2, a name that Kubernetes has for the UID of a user */
const uidAttribute = '2b0601040183c25302';

export interface X509Options {
  readonly authorities: () => CertificatePool;
  readonly now: () => number;
  /** feature AllowParsingUserUIDFromCertAuth */
  readonly readsUid: boolean;
  /** seconds until certificates expire, at each request */
  readonly expiration?: Histogram;
}

/** The user that a client certificate names: its CN, with a group per O. */
export function x509Authenticator({ authorities, now, readsUid, expiration }: X509Options): Authenticator {
  const verdictOf = peerVerifier(authorities, now);
  const users = new WeakMap<Certificate, UserInfo>();
  const userOf = (verdict: Verdict): UserInfo | undefined => {
    if ('error' in verdict) throw verdict.error;
    const { certificate } = verdict;
    expiration?.observe((certificate.notAfter - now()) / 1000);
    if (certificate.subject.commonName === '') return undefined;
    let user = users.get(certificate);
    // With its group already: the union of authenticators need not make a new user for each request.
    if (user === undefined) users.set(certificate, (user = withAuthenticatedGroup(certificateUser(certificate, readsUid))));
    return user;
  };
  return ({ source: { connection } }) => {
    const verdict = verdictOf(connection);
    if (verdict === undefined) return undefined;
    return verdict instanceof Promise ? verdict.then(userOf) : userOf(verdict);
  };
}

function certificateUser({ raw, subject }: Certificate, readsUid: boolean): UserInfo {
  const credentialId = `X509SHA256=${createHash('sha256').update(raw).digest('hex')}`;
  return {
    name: subject.commonName,
    uid: readsUid ? uidOf(subject) : '',
    groups: subject.organizations,
    extra: { [credentialIdKey]: [credentialId] },
  };
}

function uidOf({ attributes }: Certificate['subject']): string {
  const [uid, ...more] = attributes.filter(({ type }) => type === uidAttribute).map(({ value }) => value);
  if (more.length > 0) throw new Error(`expected 1 UID, but found multiple: [${[uid, ...more].join(' ')}]`);
  if (uid === '') throw new Error('UID cannot be an empty string');
  return uid ?? '';
}
