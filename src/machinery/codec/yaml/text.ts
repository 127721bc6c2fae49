// Upstream: go.yaml.in/yaml/v2/readerc.go
import { DecodeError } from '../decode-error.ts';
import { characterSize } from '../json/go-text.ts';

/** The text of a YAML stream, which may be UTF-8 or, with a byte order mark, UTF-16. Throws DecodeError where upstream does. */
export function decodeYamlText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(2, 2 + ((bytes.length - 2) & ~1)))
      .swap16()
      .toString('utf16le');
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.toString('utf8', start);
  if (text.includes('\ufffd')) checkUtf8(bytes, start);
  if (text.includes('\0')) throw new DecodeError('yaml: control characters are not allowed');
  return text;
}

function checkUtf8(bytes: Buffer, start: number): void {
  for (let at = start; at < bytes.length;) {
    const size = characterSize(bytes, at);
    if (size === 0) throw new DecodeError(`yaml: ${problemAt(bytes, at)}`);
    at += size;
  }
}

function problemAt(bytes: Buffer, at: number): string {
  const first = bytes[at]!;
  const width = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
  if (width === 0) return 'invalid leading UTF-8 octet';
  if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
  for (let index = 1; index < width; index++) if ((bytes[at + index]! & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
  return first === 0xed ? 'invalid Unicode character' : 'invalid length of a UTF-8 sequence';
}
