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

const atom = String.raw`[a-zA-Z0-9!#$%&'*+/=?^_\x60{|}~\u0080-\u{10ffff}-]+`;
const dotAtom = new RegExp(String.raw`^${atom}(\.${atom})*$`, 'u');
const quoted = /^"(?:[^"\\\r\n]|\\[\t -~])*"$/;
const domainLiteral = /^\[[^[\]\\\r\n]*\]$/;

function isAddressSpec(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at <= 0) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  return (dotAtom.test(local) || (quoted.test(local) && local.length > 2)) && (dotAtom.test(domain) || domainLiteral.test(domain));
}

const word = new RegExp(String.raw`(?:${atom}(?:\.${atom})*\.?|"(?:[^"\\\r\n]|\\[\t -~])*")`, 'gu');

/** Words and quoted strings; a display name may be empty. */
function isPhrase(text: string): boolean {
  return text.replaceAll(word, '').trim() === '';
}
