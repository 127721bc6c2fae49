import { CborWriter } from './writer.ts';

/** An array of no items, with the name before it. No text that a list has around its items ends in these bytes: the last is none of UTF-8. */
const noItems = Buffer.concat([new CborWriter('sorted').string('items').take(), Buffer.from([0x80])]);

/** What goes before and after the encoded items of a list, of which `empty` is one without any. */
export function listAround(empty: Buffer, items: number): { readonly before: Buffer; readonly after: Buffer } {
  const at = empty.indexOf(noItems);
  if (at < 0) throw new Error('a list without items has no array of none');
  const head = new CborWriter('sorted').arrayHead(items).take();
  return { before: Buffer.concat([empty.subarray(0, at + noItems.length - 1), head]), after: empty.subarray(at + noItems.length) };
}
