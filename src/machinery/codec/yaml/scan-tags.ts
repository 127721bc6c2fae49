// Upstream: go.yaml.in/yaml/v2/scannerc.go#yaml_parser_scan_directive, #yaml_parser_scan_tag
import type { Cursor, Mark } from './cursor.ts';
import type { Token } from './scanner.ts';

const letters = /[\w-]+/y;
const uriCharacters = /[\w;/?:@&=+$,.!~*'()[\]-]+/y;
const escapedOctet = /^%([0-9a-fA-F]{2})/;

export function scanDirective(cursor: Cursor): Token {
  const start = cursor.mark;
  cursor.skip();
  const from = cursor.at;
  cursor.skipAll(letters);
  const name = cursor.text.slice(from, cursor.at);
  if (name === '') throw cursor.fault('could not find expected directive name', start);
  if (!cursor.isBlankOrEnd()) throw cursor.fault('found unexpected non-alphabetical character', start);
  if (name !== 'YAML' && name !== 'TAG') throw cursor.fault('found unknown directive name', start);
  cursor.skipBlanks();
  const token: Token =
    name === 'YAML' ? { kind: 'version', start, isKnown: version(cursor, start) === '1.1' } : { start, ...tagDirective(cursor, start) };
  cursor.skipBlanks();
  cursor.skipComment();
  if (!cursor.isBreakOrEnd()) throw cursor.fault('did not find expected comment or line break', start);
  cursor.readBreak();
  return token;
}

function version(cursor: Cursor, start: Mark): string {
  const major = versionNumber(cursor, start);
  if (cursor.char() !== '.') throw cursor.fault(`did not find expected digit or '.' character`, start);
  cursor.skip();
  return `${major}.${versionNumber(cursor, start)}`;
}

function versionNumber(cursor: Cursor, start: Mark): number {
  const from = cursor.at;
  while (/[0-9]/.test(cursor.char())) {
    cursor.skip();
    if (cursor.at - from > 2) throw cursor.fault('found extremely long version number', start);
  }
  if (cursor.at === from) throw cursor.fault('did not find expected version number', start);
  return Number(cursor.text.slice(from, cursor.at));
}

function tagDirective(cursor: Cursor, start: Mark): { kind: 'tag directive'; handle: string; prefix: string } {
  const handle = tagHandle(cursor, start, true);
  if (!cursor.isBlank()) throw cursor.fault('did not find expected whitespace', start);
  cursor.skipBlanks();
  const prefix = tagUri(cursor, start, '');
  if (!cursor.isBlankOrEnd()) throw cursor.fault('did not find expected whitespace or line break', start);
  return { kind: 'tag directive', handle, prefix };
}

export function scanTag(cursor: Cursor): Token {
  const start = cursor.mark;
  let handle = '';
  let suffix: string;
  if (cursor.char(1) === '<') {
    cursor.skip(2);
    suffix = tagUri(cursor, start, '');
    if (cursor.char() !== '>') throw cursor.fault(`did not find the expected '>'`, start);
    cursor.skip();
  } else {
    handle = tagHandle(cursor, start, false);
    if (handle.length > 1 && handle.endsWith('!')) suffix = tagUri(cursor, start, '');
    else {
      suffix = tagUri(cursor, start, handle);
      handle = '!';
      if (suffix === '') [handle, suffix] = ['', '!'];
    }
  }
  if (!cursor.isBlankOrEnd()) throw cursor.fault('did not find expected whitespace or line break', start);
  return { kind: 'tag', start, handle, suffix };
}

function tagHandle(cursor: Cursor, start: Mark, isDirective: boolean): string {
  if (cursor.char() !== '!') throw cursor.fault(`did not find expected '!'`, start);
  const from = cursor.at;
  cursor.skip();
  cursor.skipAll(letters);
  if (cursor.char() === '!') cursor.skip();
  else if (isDirective && cursor.at - from > 1) throw cursor.fault(`did not find expected '!'`, start);
  return cursor.text.slice(from, cursor.at);
}

/** @param head what was read as a handle and belongs to the tag, after its `!` */
function tagUri(cursor: Cursor, start: Mark, head: string): string {
  let uri = head.slice(1);
  const from = cursor.at;
  let plain = from;
  for (;;) {
    cursor.skipAll(uriCharacters);
    if (cursor.char() !== '%') break;
    uri += cursor.text.slice(plain, cursor.at) + escapedCharacter(cursor, start);
    plain = cursor.at;
  }
  uri += cursor.text.slice(plain, cursor.at);
  if (head === '' && cursor.at === from) throw cursor.fault('did not find expected tag URI', start);
  return uri;
}

/** One character, whose UTF-8 octets are escaped one by one. */
function escapedCharacter(cursor: Cursor, start: Mark): string {
  const octets: number[] = [];
  let width = 1;
  while (octets.length < width) {
    const octet = escapedOctet.exec(cursor.text.slice(cursor.at, cursor.at + 3))?.[1];
    if (octet === undefined) throw cursor.fault('did not find URI escaped octet', start);
    octets.push(Number.parseInt(octet, 16));
    if (octets.length === 1) width = utf8Width(octets[0]!);
    if (width === 0) throw cursor.fault('found an incorrect leading UTF-8 octet', start);
    if (octets.length > 1 && (octets.at(-1)! & 0xc0) !== 0x80) throw cursor.fault('found an incorrect trailing UTF-8 octet', start);
    cursor.skip(3);
  }
  return Buffer.from(octets).toString();
}

function utf8Width(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc0) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
}
