import type { Request } from '../../http/request.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { UserInfo } from '../../request/user.ts';
import { anonymousUser, authenticatedGroup, unauthenticatedGroup } from '../../request/user.ts';

/**
 * A user, or undefined when the request carries nothing of this kind; throws when it does and it is wrong.
 * Tokens are checked against the server's objects.
 */
export type Authenticator = (request: Request, reader: ObjectReader) => UserInfo | undefined | Promise<UserInfo | undefined>;

/** An authenticator of a server, with its objects at hand. */
export type RequestAuthenticator = (request: Request) => ReturnType<Authenticator>;

/**
 * The first authenticator that knows the request wins. When none does, the failure of the last that tried is thrown.
 * Users who proved who they are get the group system:authenticated. Stays synchronous as long as the authenticators do.
 */
export function unionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  return (request, reader) => {
    let failure: unknown;
    const from = (index: number): ReturnType<Authenticator> => {
      for (let i = index; i < authenticators.length; i++) {
        try {
          const answer = (authenticators[i] as Authenticator)(request, reader);
          if (answer instanceof Promise) {
            return answer.then(
              (user) => (user === undefined ? from(i + 1) : withAuthenticatedGroup(user)),
              (error: unknown) => {
                failure = error;
                return from(i + 1);
              },
            );
          }
          if (answer !== undefined) return withAuthenticatedGroup(answer);
        } catch (error) {
          failure = error;
        }
      }
      if (failure !== undefined) throw failure;
      return undefined;
    };
    return from(0);
  };
}

export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (user.name === anonymousUser || user.groups.includes(authenticatedGroup) || user.groups.includes(unauthenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}
