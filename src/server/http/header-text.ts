/**
 * A header's value as text. Node gives bytes as characters; names of users and groups are UTF-8. Bytes that are not become lone surrogates
 * (U+DC80 and up), so that nothing is lost and messages can show them as Go does.
 */
export function headerText(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  let result = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    const byte = bytes[at] as number;
    result += length === 0 ? String.fromCharCode(0xdc00 + byte) : bytes.toString('utf8', at, at + length);
    at += length === 0 ? 1 : length;
  }
  return result;
}

/** Length of the valid UTF-8 sequence that begins there; 0: none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  for (const length of [1, 2, 3, 4]) {
    if (at + length > bytes.length) return 0;
    if (!bytes.toString('utf8', at, at + length).includes('\ufffd')) return length;
  }
  return 0;
}
