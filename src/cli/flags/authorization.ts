import type { GivenConfig } from '../../controlplane/config.ts';
import type { FlagValues } from './flag.ts';
import { flagGroup } from './flag.ts';
import { duration, string, strings } from './flag-kinds.ts';

export const authorizationFlags = flagGroup('Authorization', {
  'authorization-config': string('', 'file that configures the chain of authorizers'),
  'authorization-mode': strings('authorizers in the order they are asked: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node'),
  'authorization-policy-file': string('', 'ABAC rules, one JSON object per line'),
  'authorization-webhook-cache-authorized-ttl': duration('5m', 'how long a yes of the webhook is kept'),
  'authorization-webhook-cache-unauthorized-ttl': duration('30s', 'how long a no of the webhook is kept'),
  'authorization-webhook-config-file': string('', 'kubeconfig of the authorization webhook'),
  'authorization-webhook-version': string('v1beta1', 'version of SubjectAccessReview sent to the webhook'),
});

/** `modes`: what stands for --authorization-mode where it was not given. */
export function authorizationConfig(flags: FlagValues<typeof authorizationFlags.flags>, modes: readonly string[]): GivenConfig {
  const [configuration, policies, kubeconfig] = [
    flags['authorization-config'],
    flags['authorization-policy-file'],
    flags['authorization-webhook-config-file'],
  ];
  return {
    authorization: {
      modes,
      configuration: configuration === '' ? undefined : { file: configuration },
      policies: policies === '' ? undefined : { file: policies },
      webhook:
        kubeconfig === ''
          ? undefined
          : {
              kubeconfig,
              version: flags['authorization-webhook-version'],
              authorizedTtlMs: flags['authorization-webhook-cache-authorized-ttl'],
              unauthorizedTtlMs: flags['authorization-webhook-cache-unauthorized-ttl'],
            },
    },
  };
}
