// Upstream: k8s.io/apiserver/pkg/authentication/authenticator/interfaces.go, k8s.io/apiserver/pkg/authentication/token/union/union.go
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { TokenAuthenticator } from '../../registry/tokens.ts';
import type { UserInfo } from '../../request/user.ts';

/** Asks in order; the first that knows the token wins. When none does, their errors are thrown as one. */
export function unionTokenAuthenticator(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  return async (token, audiences, reader) => {
    const failures: Error[] = [];
    for (const authenticate of authenticators) {
      try {
        const holder = await authenticate(token, audiences, reader);
        if (holder !== undefined) return holder;
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
    if (failures.length === 0) return undefined;
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, failureText(failures));
  };
}

/** Go's text of failures: each once, and those of several at the same level as those of one. */
export function failureText(failures: readonly Error[]): string {
  const texts = failures.flatMap((failure) => (failure instanceof AggregateError ? failure.errors : [failure]) as Error[]);
  const distinct = [...new Set(texts.map(({ message }) => message))];
  return distinct.length === 1 ? distinct.join() : `[${distinct.join(', ')}]`;
}

/** For tokens that name no audience: good for this server's, and for no other. */
export function forAudiences(
  implicit: readonly string[],
  identify: (token: string, reader: ObjectReader) => UserInfo | undefined | Promise<UserInfo | undefined>,
): TokenAuthenticator {
  return async (token, audiences, reader) => {
    if (audiences === undefined || implicit.length === 0) {
      const user = await identify(token, reader);
      return user && { user, audiences: undefined };
    }
    const shared = intersect(implicit, audiences);
    if (shared.length === 0) return undefined;
    const user = await identify(token, reader);
    return user && { user, audiences: shared };
  };
}

export function intersect(audiences: readonly string[], wanted: readonly string[]): string[] {
  return audiences.filter((audience) => wanted.includes(audience));
}
