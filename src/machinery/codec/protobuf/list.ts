// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/protobuf/collections.go
import { envelopeAround } from './envelope.ts';
import type { TypeMeta } from './compile-decoder.ts';

/** An item as it stands in a list: tag, length, message. Keep it beside the object and lists become concatenations. */
export function frameListItem(message: Uint8Array): Buffer {
  return prefixed(0x12, message);
}

/**
 * What goes before and after the framed items of an enveloped list. Every list type has its metadata as field 1 and its items as
 * field 2. `itemsLength` is the sum of the lengths of the framed items.
 */
export function listAround(
  typeMeta: TypeMeta,
  listMeta: Uint8Array,
  itemsLength: number,
): { readonly before: Buffer; readonly after: Buffer } {
  const meta = prefixed(0x0a, listMeta);
  const { before, after } = envelopeAround(typeMeta, meta.length + itemsLength);
  return { before: Buffer.concat([before, meta]), after };
}

export function prefixed(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  let size = 2;
  for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  const out = Buffer.allocUnsafe(size + length);
  let at = 0;
  out[at++] = tag;
  let rest = length;
  while (rest >= 0x80) {
    out[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  out[at++] = rest;
  out.set(content, at);
  return out;
}
