import type { KeyValue } from '../storage.ts';

/** Why a value could not be read: corrupt, or no key to decrypt it. */
export class Unreadable {
  readonly error: Error;

  constructor(error: Error) {
    this.error = error;
  }
}

/** One bad value is that key's trouble only, so it comes back as a result instead of an exception. */
export function read<T>(kv: KeyValue, decode: (kv: KeyValue) => T): T | Unreadable {
  if (kv.error !== undefined) return new Unreadable(kv.error);
  try {
    return decode(kv);
  } catch (error) {
    return new Unreadable(error instanceof Error ? error : new Error(String(error)));
  }
}
