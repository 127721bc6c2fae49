// Upstream: k8s.io/apiserver/pkg/authentication/token/tokenfile/tokenfile.go
import type { UserInfo } from '../../request/user.ts';

/** Users of a CSV file by token: `token,name,uid[,"group,group"]`. */
export function readTokenFile(records: Iterable<readonly string[]>, path: string): ReadonlyMap<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const record of records) {
    const [token = '', name = '', uid, groups] = record;
    if (uid === undefined) {
      throw new Error(`token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`);
    }
    if (token !== '') users.set(token, { name, uid, groups: groups === undefined ? [] : groups.split(','), extra: {} });
  }
  return users;
}
