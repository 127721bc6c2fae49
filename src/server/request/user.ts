/** Who is asking. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** extra attribute that tells the credential of a request from others of the same user */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';
export const anonymousUser = 'system:anonymous';
export const unauthenticatedGroup = 'system:unauthenticated';
export const authenticatedGroup = 'system:authenticated';
/** may do everything: upstream grants it before any authorizer is asked */
export const privilegedGroup = 'system:masters';

export const anonymous: UserInfo = { name: anonymousUser, uid: '', groups: [unauthenticatedGroup], extra: {} };
