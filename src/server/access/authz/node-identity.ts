// Upstream: k8s.io/kubernetes/pkg/auth/nodeidentifier/default.go
import type { UserInfo } from '../../request/user.ts';

const userPrefix = 'system:node:';
const nodesGroup = 'system:nodes';

/** Name of the node that the user is; undefined when they are none. */
export function nodeIdentity({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(userPrefix) && groups.includes(nodesGroup) ? name.slice(userPrefix.length) : undefined;
}
