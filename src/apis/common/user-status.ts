import type { UserInfo as UserStatus } from '../../schema/types/authentication-v1.ts';
import type { UserInfo } from '../../server/request/user.ts';

/** A user as reviews show them. */
export function userStatus({ name, uid, groups, extra }: UserInfo): UserStatus {
  const keys = Object.keys(extra).toSorted();
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, [...(extra[key] ?? [])]])) }),
  };
}
