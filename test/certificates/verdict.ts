import { createHash } from 'node:crypto';
import type { ChainCase } from './chain-cases.ts';

/** Who a server takes a client for; undefined: no user. */
export interface Verdict {
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  /** not authenticated, and not allowed to ask who they are: no more than the name is known */
  readonly isForbidden?: true;
  /** false: the user's credential id is not that of the certificate */
  readonly isCertificate?: false;
}

export interface Verdicts {
  /** as the owner of the certificate */
  readonly client: Verdict | null;
  /** as a front proxy that names a user */
  readonly proxy: Verdict | null;
}

/** Headers of a front proxy. */
export const proxyHeaders: Readonly<Record<string, string>> = { 'X-Remote-User': 'somebody', 'X-Remote-Group': 'a,b' };

interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export function verdictOf({ username = '', uid, groups, extra = {} }: User, { chain: [leaf] }: ChainCase, isProxy: boolean): Verdict {
  const credential = extra['authentication.kubernetes.io/credential-id']?.join();
  const expected = leaf && `X509SHA256=${createHash('sha256').update(leaf.bytes).digest('hex')}`;
  if (groups?.includes('system:authenticated') !== true) return { name: username, isForbidden: true };
  return {
    name: username,
    ...(uid !== undefined && uid !== '' && { uid }),
    groups,
    ...(!isProxy && credential !== expected && { isCertificate: false }),
  };
}
