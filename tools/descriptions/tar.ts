import { gunzipSync } from 'node:zlib';

const block = 512;

/** The files of a compressed tar archive whose path is wanted. */
export function* filesIn(archive: Buffer, wanted: (path: string) => boolean): Generator<{ readonly path: string; readonly text: string }> {
  const tar = gunzipSync(archive);
  for (let at = 0; at + block <= tar.length;) {
    const header = tar.subarray(at, at + block);
    const name = field(header, 0, 100);
    if (name === '') return;
    const prefix = field(header, 345, 155);
    const size = Number.parseInt(field(header, 124, 12).trim(), 8);
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const start = at + block;
    if (wanted(path)) yield { path, text: tar.toString('utf8', start, start + size) };
    at = start + Math.ceil(size / block) * block;
  }
}

function field(header: Buffer, offset: number, length: number): string {
  const text = header.toString('utf8', offset, offset + length);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
