import { ownBytes } from '../../machinery/codec/kept-bytes.ts';
import type { Transformed } from './ciphers/transformer.ts';

/** bytes of values, at rest and plain, and how many there may be */
const mostBytes = 8 << 20;
const mostKeys = 2048;

interface Recent extends Transformed {
  readonly atRest: Buffer;
  /** the value of the same key before this one */
  readonly before: Recent | undefined;
}

/**
 * Values that were written or read a moment ago, in both forms. What a server writes comes back to it by its watches, and as the previous
 * value of the next write: then it is recognised by its bytes instead of being decoded, and is the same plain value as before.
 */
export class RecentValues {
  readonly #byKey = new Map<string, Recent>();
  #bytes = 0;

  add(key: string, atRest: Buffer, { value, stale }: Transformed): void {
    const size = atRest.length + value.length;
    if (size > mostBytes / 8) return;
    const last = this.#byKey.get(key);
    if (last !== undefined) this.#forget(key, last);
    const before = last && { ...last, before: undefined };
    const recent: Recent = { atRest: ownBytes(atRest), value, stale, before };
    this.#byKey.set(key, recent);
    this.#bytes += sizeOf(recent);
    for (const [oldest, values] of this.#byKey) {
      if (this.#bytes <= mostBytes && this.#byKey.size <= mostKeys) return;
      this.#forget(oldest, values);
    }
  }

  find(key: string, atRest: Buffer): Transformed | undefined {
    for (let recent = this.#byKey.get(key); recent !== undefined; recent = recent.before) if (recent.atRest.equals(atRest)) return recent;
    return undefined;
  }

  #forget(key: string, values: Recent): void {
    this.#byKey.delete(key);
    this.#bytes -= sizeOf(values);
  }
}

function sizeOf({ atRest, value, before }: Recent): number {
  return atRest.length + value.length + (before === undefined ? 0 : sizeOf(before));
}
