import type { Operation, Storage } from '../../src/storage/storage.ts';

/** A store that does not respond about keys with this prefix until it is released. */
export function holdingBack(storage: Storage, prefix: string): { storage: Storage; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const concerns = (asked: unknown): boolean => {
    if (typeof asked === 'string') return asked.startsWith(prefix);
    return Array.isArray(asked) && (asked as Operation[]).some(({ key }) => key.startsWith(prefix));
  };
  const held: ReadonlySet<unknown> = new Set(['get', 'list', 'count', 'transact']);
  return {
    storage: new Proxy(storage, {
      get(target, name: keyof Storage) {
        const member: unknown = target[name];
        if (typeof member !== 'function') return member;
        if (!held.has(name)) return member.bind(target) as unknown;
        return async (...args: unknown[]) => {
          if (concerns(args[0])) await promise;
          return (member as (...given: unknown[]) => unknown).apply(target, args);
        };
      },
    }),
    release: resolve,
  };
}
