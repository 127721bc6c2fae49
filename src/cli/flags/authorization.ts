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
