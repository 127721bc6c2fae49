import { flag } from './frames.ts';

/** Undefined: there is more padding than payload. */
export function withoutPadding(flags: number, payload: Buffer): Buffer | undefined {
  if ((flags & flag.padded) === 0) return payload;
  const padding = payload[0];
  if (padding === undefined || padding >= payload.length) return undefined;
  return payload.subarray(1, payload.length - padding);
}
