// Upstream: Go's encoding/pem (Decode)

export interface PemBlock {
  /** e.g. `CERTIFICATE` */
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const block = /^-----BEGIN ([^\n]*)-----[ \t\r]*\n([\s\S]*?)^-----END \1-----[ \t\r]*$/gm;
const header = /^[^\n:]*:[^\n]*(?:\n|$)/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The blocks of a text, in order. What stands between them, and what only looks like one, is passed over. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(block)].flatMap(([, type = '', inside = '']) => {
    let content = inside;
    for (let found = header.exec(content); found !== null; found = header.exec(content)) content = content.slice(found[0].length);
    const encoded = content.replaceAll(/\s/g, '');
    if (!base64.test(encoded)) return [];
    return [{ type, hasHeaders: content.length < inside.length, bytes: Buffer.from(encoded, 'base64') }];
  });
}
