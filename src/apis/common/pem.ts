// Upstream: std/encoding/pem#Decode
import { withoutTrailing } from '../../base/trailing.ts';

export interface PemBlock {
  /** e.g. `CERTIFICATE` */
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const [begin, end, dashes] = ['-----BEGIN ', '\n-----END ', '-----'];
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The blocks of a text, in order. What stands between them, and what only looks like one, is passed over. Which of several is the first must be
 * the same for the validation of a request and for its signer: a block is what lies between an END and the last BEGIN before it.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let at = 0; ;) {
    const endAt = text.indexOf(end, at);
    if (endAt < 0) return blocks;
    const trailerAt = endAt + end.length;
    const beginAt = text.slice(at, endAt).lastIndexOf(begin);
    const isLine = beginAt === 0 || (beginAt > 0 && text[at + beginAt - 1] === '\n');
    const block = isLine ? blockAt(text, at + beginAt + begin.length, endAt) : undefined;
    if (block === 'spoilt') return blocks;
    if (block !== undefined) blocks.push(block);
    at = block === undefined ? trailerAt : lineAt(text, trailerAt).next;
  }
}

/** `spoilt`: its headers never end, and nothing after it is read. */
function blockAt(text: string, typeAt: number, endAt: number): PemBlock | 'spoilt' | undefined {
  const { line, next } = lineAt(text, typeAt);
  if (!line.endsWith(dashes)) return undefined;
  const type = line.slice(0, -dashes.length);
  let bodyAt = next;
  for (let header = lineAt(text, bodyAt); header.line.includes(':'); header = lineAt(text, bodyAt)) bodyAt = header.next;
  if (bodyAt >= text.length || (bodyAt > next && bodyAt > endAt)) return 'spoilt';
  const trailer = lineAt(text, endAt + end.length).line;
  const encoded = text.slice(bodyAt, Math.max(endAt, bodyAt)).replaceAll(/[ \t\r\n]/g, '');
  if (trailer !== type + dashes || !base64.test(encoded)) return undefined;
  return { type, hasHeaders: bodyAt > next, bytes: Buffer.from(encoded, 'base64') };
}

/** A line without blanks at its end, and where the next one begins. */
function lineAt(text: string, at: number): { readonly line: string; readonly next: number } {
  const feed = text.indexOf('\n', at);
  const line = text.slice(at, feed < 0 ? text.length : feed);
  const ended = feed >= 0 && line.endsWith('\r') ? line.slice(0, -1) : line;
  return { line: withoutTrailing(ended, ' \t'), next: feed < 0 ? text.length : feed + 1 };
}
