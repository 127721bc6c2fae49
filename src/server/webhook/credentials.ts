// Upstream: k8s.io/apiserver/pkg/util/webhook/authentication.go
import type { UserCredentials } from './kubeconfig.ts';
import { loadUsers } from './kubeconfig.ts';

/** Our credentials for a webhook, by host and port; undefined: none. */
export type WebhookCredentials = (hostPort: string) => UserCredentials | undefined;

/** The users of a kubeconfig are named by those they are for: `host:port`, `host` for port 443, `*.domain`, or `*` for all. */
export function loadWebhookCredentials(file: string): WebhookCredentials {
  const { users, current } = loadUsers(file);
  const named = (target: string): UserCredentials | undefined => {
    const steps = target.split('.');
    const patterns = [target, ...steps.slice(1).map((_, index) => `*.${steps.slice(index + 1).join('.')}`)];
    return patterns.map((name) => users.get(name)).find((user) => user !== undefined);
  };
  return (hostPort) =>
    named(hostPort) ?? (hostPort.endsWith(':443') ? named(hostPort.slice(0, -':443'.length)) : undefined) ?? users.get('*') ?? current;
}
