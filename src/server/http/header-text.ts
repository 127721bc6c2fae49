/**
 * A header's value as text. Node gives bytes as characters; names of users and groups are UTF-8. Bytes that are not become lone surrogates
 * (U+DC80 and up), so that nothing is lost and messages can show them as Go does.
 */
export function headerText(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    at += length === 0 ? 1 : length;
    if (length > 0) continue;
    parts.push(bytes.toString('utf8', start, at - 1), String.fromCharCode(0xdc00 + (bytes[at - 1] as number)));
    start = at;
  }
  return parts.join('') + bytes.toString('utf8', start);
}

/** The bytes of a text that `headerText()` has read, as the characters that node writes: also those that were no UTF-8 go on as they came. */
export function headerBytes(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  let result = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    result += code >= 0xdc80 && code <= 0xdcff ? String.fromCharCode(code - 0xdc00) : Buffer.from(character).toString('latin1');
  }
  return result;
}

/** Length of the valid UTF-8 sequence that begins there; 0: none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // What follows some first bytes is narrower: overlong forms, surrogates and what is above the last character are not valid.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < least || second > most) return 0;
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
