// Upstream: apimachinery/pkg/util/proxy/transport.go (rewriteHTML), golang.org/x/net/html (Tokenizer)

/** Attributes that hold a link, by tag. */
const linkAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
};

/** What is in these is text, whatever it looks like. */
const textOnly: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

const piece = /<!--[\s\S]*?(?:-->|$)|<[!?/][^>]*(?:>|$)|<([A-Za-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|[^<]+|</g;
const attribute = /([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'", apos: "'" };
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;', '"': '&#34;' };

/** A page with its links rewritten; start tags come out in one form, the rest as it is. */
export function rewriteLinks(page: string, rewrite: (link: string) => string): string {
  let result = '';
  const pieces = new RegExp(piece);
  for (let match = pieces.exec(page); match !== null; match = pieces.exec(page)) {
    const [raw, tag, attributes = ''] = match;
    if (tag === undefined) {
      result += raw;
      continue;
    }
    const name = tag.toLowerCase();
    result += startTag(name, attributes, raw.endsWith('/>'), rewrite);
    if (textOnly.has(name)) {
      const end = endOfText(page, pieces.lastIndex, name);
      result += page.slice(pieces.lastIndex, end);
      pieces.lastIndex = end;
    }
  }
  return result;
}

function startTag(name: string, attributes: string, closesItself: boolean, rewrite: (link: string) => string): string {
  const links = linkAttributes[name] ?? [];
  const written = [...attributes.matchAll(attribute)].map(([, key = '', double, single, bare]) => {
    const value = unescape(double ?? single ?? (closesItself ? bare?.replace(/\/$/, '') : bare) ?? '');
    return ` ${key.toLowerCase()}="${escape(links.includes(key.toLowerCase()) ? rewrite(value) : value)}"`;
  });
  return `<${name}${written.join('')}${closesItself ? '/' : ''}>`;
}

function endOfText(page: string, from: number, name: string): number {
  const end = name === 'plaintext' ? -1 : page.slice(from).search(new RegExp(`</${name}[\\s/>]`, 'i'));
  return end < 0 ? page.length : from + end;
}

function unescape(value: string): string {
  return value.replace(/&(#?\w+);/g, (raw, name: string) => entities[name] ?? raw);
}

/** Entities by other names stay what they are. */
function escape(value: string): string {
  return value.replace(/&(?!#?\w+;)|['<>"]/g, (character) => escapes[character] as string);
}
