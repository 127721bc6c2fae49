// Upstream: std/net/mail#ParseAddress
// As far as a single address without comments goes.

/** `a@b.c`, `"odd name"@host`, `Name <a@b.c>`, `<a@b.c>` */
export function isEmailAddress(text: string): boolean {
  const trimmed = text.trim();
  const named = /^(.*)<([^<>]*)>$/s.exec(trimmed);
  if (named === null) return isAddressSpec(trimmed);
  const [, name = '', address = ''] = named;
  return isPhrase(name.trim()) && isAddressSpec(address.trim());
}

const atomCharacters = String.raw`[a-zA-Z0-9!#$%&'*+/=?^_\x60{|}~\u0080-\u{10ffff}-]`;
const atom = new RegExp(`^${atomCharacters}+$`, 'u');
const quoted = /^"(?:[^"\\\r\n]|\\[\t -~])*"$/;
const domainLiteral = /^\[[^[\]\\\r\n]*\]$/;

function isAddressSpec(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at <= 0) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  return (isDotAtom(local) || (quoted.test(local) && local.length > 2)) && (isDotAtom(domain) || domainLiteral.test(domain));
}

/** By its parts: as a single pattern, a long one exhausts the stack of the matcher. */
function isDotAtom(text: string): boolean {
  return text.split('.').every((part) => atom.test(part));
}

const phrasePart = new RegExp(String.raw`\s+|${atomCharacters}+\.?|"(?:[^"\\\r\n]|\\[\t -~])*"`, 'uy');

/** Words and quoted strings; a display name may be empty. */
function isPhrase(text: string): boolean {
  const parts = new RegExp(phrasePart);
  for (let at = 0; at < text.length; at = parts.lastIndex) {
    parts.lastIndex = at;
    if (!parts.test(text)) return false;
  }
  return true;
}
