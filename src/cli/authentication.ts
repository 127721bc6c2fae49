// Upstream: pkg/kubeapiserver/authenticator/config.go
import type { Clock } from '../base/clock.ts';
import type { Authenticator } from '../server/authn/authenticator.ts';
import { unionAuthenticator } from '../server/authn/authenticator.ts';
import { anonymous } from '../server/authn/user.ts';
import { CertificatePool, x509Authenticator } from '../server/authn/x509.ts';
import type { CompletedOptions } from './complete-options.ts';
import { readPem } from './serving-certificate.ts';

export function buildAuthenticator({ flags, anonymous: anonymousAllowed }: CompletedOptions, clock: Clock): Authenticator {
  const authenticators: Authenticator[] = [];
  if (flags['client-ca-file'] !== '') {
    const pool = new CertificatePool(readPem(flags['client-ca-file']));
    authenticators.push(
      x509Authenticator(
        () => pool,
        () => clock.now(),
      ),
    );
  }
  const identified = unionAuthenticator(authenticators);
  return anonymousAllowed ? withAnonymous(identified) : identified;
}

/** Wrong credentials stay an error: only who brings none is anonymous. */
export function withAnonymous(identified: Authenticator): Authenticator {
  return (request) => {
    const user = identified(request);
    return user instanceof Promise ? user.then((known) => known ?? anonymous) : (user ?? anonymous);
  };
}
