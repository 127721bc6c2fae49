// Upstream: k8s.io/apiserver/pkg/authentication/request/anonymous/anonymous.go
import type { Authenticator } from './authenticator.ts';
import { anonymous } from '../../request/user.ts';

/** Wrong credentials stay an error: only who brings none is anonymous, and only at these paths if there are any. */
export function withAnonymous(identified: Authenticator, paths: readonly string[] = []): Authenticator {
  return (request, reader) => {
    const stranger = paths.length === 0 || paths.includes(request.path) ? anonymous : undefined;
    const user = identified(request, reader);
    return user instanceof Promise ? user.then((known) => known ?? stranger) : (user ?? stranger);
  };
}
