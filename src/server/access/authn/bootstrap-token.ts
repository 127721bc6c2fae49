// Upstream: k8s.io/kubernetes/plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go
import { timingSafeEqual } from 'node:crypto';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { KubeObject } from '../../registry/definition.ts';
import type { UserInfo } from '../../request/user.ts';

interface BootstrapSecret extends KubeObject {
  type?: string;
  data?: Record<string, string>;
}

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
/** what Go reads; JavaScript would read far more as a time */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const defaultGroup = 'system:bootstrappers';

/** `id.secret` of a secret in kube-system; a node that joins a cluster has nothing else yet. */
export async function bootstrapTokenUser(token: string, reader: ObjectReader, now: number): Promise<UserInfo | undefined> {
  const [, id, secretPart] = tokenPattern.exec(token) ?? [];
  if (id === undefined || secretPart === undefined) return undefined;
  const secret = await reader.get<BootstrapSecret>('', 'secrets', 'kube-system', `bootstrap-token-${id}`);
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return undefined;
  if (secret.type !== 'bootstrap.kubernetes.io/token') return undefined;
  const value = (key: string): string => Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
  if (!isSame(value('token-secret'), secretPart) || value('token-id') !== id) return undefined;
  if (hasExpired(value('expiration'), now) || value('usage-bootstrap-authentication') !== 'true') return undefined;
  const groups = groupsOf(value('auth-extra-groups'));
  return groups && { name: `system:bootstrap:${id}`, uid: '', groups, extra: {} };
}

/** Undefined: one of the extra groups is none that a bootstrap token may give. */
function groupsOf(extra: string): string[] | undefined {
  if (extra === '') return [defaultGroup];
  const groups = extra.split(',');
  return groups.every((group) => groupPattern.test(group)) ? [...new Set([defaultGroup, ...groups])].toSorted() : undefined;
}

/** A time that cannot be read counts as past. */
function hasExpired(expiration: string, now: number): boolean {
  if (expiration === '') return false;
  const time = rfc3339.test(expiration) ? Date.parse(expiration) : Number.NaN;
  return Number.isNaN(time) || time <= now;
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
