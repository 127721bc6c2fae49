// W3C Baggage: https://www.w3.org/TR/baggage/
const mostMembers = 64;
const mostBytes = 8192;
const key = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const value = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
const wrongEscape = /%(?![0-9A-Fa-f]{2})/;
const escaped = /[^\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/gu;

/**
 * What a `baggage` header says, written anew as OpenTelemetry does it: members that cannot be understood are left out, of two with the same key
 * the last one counts, and nothing is escaped that need not be. '' when there is nothing to pass on.
 */
export function readBaggage(header: string | undefined): string {
  if (header === undefined || header.length > mostBytes) return '';
  const members = new Map<string, string>();
  let bytes = 0;
  for (const text of header.split(',')) {
    if (members.size === mostMembers) break;
    const [name, shown] = readMember(text) ?? [];
    if (name === undefined || shown === undefined) continue;
    const size = bytes - (members.get(name)?.length ?? -1) + shown.length;
    if (size > mostBytes) break;
    members.set(name, shown);
    bytes = size;
  }
  return [...members.values()].join(',');
}

function readMember(text: string): [name: string, shown: string] | undefined {
  const [pair = '', ...properties] = text.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const shown = readPair(pair);
  if (equals < 0 || shown === undefined) return undefined;
  const parts = properties.map((property) => (property.trim() === '' ? '' : readPair(property)));
  if (parts.includes(undefined)) return undefined;
  return [name, [shown, ...parts.filter((part) => part !== '')].join(';')];
}

/** `key=value`, or a key alone; undefined: neither. */
function readPair(pair: string): string | undefined {
  const equals = pair.indexOf('=');
  const name = (equals < 0 ? pair : pair.slice(0, equals)).trim();
  if (!key.test(name)) return undefined;
  if (equals < 0) return name;
  const text = pair.slice(equals + 1).trim();
  if (!value.test(text) || wrongEscape.test(text)) return undefined;
  return `${name}=${unescaped(text).replaceAll(escaped, encodeURIComponent)}`;
}

function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = text.replaceAll(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
