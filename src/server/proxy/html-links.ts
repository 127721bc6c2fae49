// Upstream: k8s.io/apimachinery/pkg/util/proxy/transport.go#rewriteHTML, golang.org/x/net/html/token.go

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
  'noscript',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

/** A tag or comment longer than this passes as it is, so that a page that opens one and never closes it is not kept whole. */
const longestMarkup = 1024 * 1024;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'", apos: "'" };
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', "'": '&#39;', '<': '&lt;', '>': '&gt;', '"': '&#34;' };

/** A page with its links rewritten; start tags come out in one form, the rest as it is. */
export function rewriteLinks(page: string, rewrite: (link: string) => string): string {
  const rewriter = new LinkRewriter(rewrite);
  return rewriter.write(page) + rewriter.end();
}

/**
 * Rewrites a page that comes in parts, in time that grows with its length only: each character is looked at a bounded number of times
 * however the page is made and cut.
 */
export class LinkRewriter {
  readonly #rewrite: (link: string) => string;
  /** what has come and is not yet complete */
  #kept = '';
  /** looked at again only when this long: doubles while markup does not end */
  #enough = 0;
  /** the element whose text is being read */
  #inside = '';

  constructor(rewrite: (link: string) => string) {
    this.#rewrite = rewrite;
  }

  write(part: string): string {
    this.#kept += part;
    if (this.#kept.length < this.#enough) return '';
    return this.#read(this.#kept, false);
  }

  /** The rest. As upstream, a tag that the page breaks off in is left out. */
  end(): string {
    return this.#read(this.#kept, true);
  }

  #read(page: string, isLast: boolean): string {
    const result: string[] = [];
    let at = 0;
    while (at < page.length) {
      const end = this.#inside === '' ? this.#markup(page, at, isLast, result) : this.#text(page, at, isLast, result);
      if (end < 0) break;
      at = end;
    }
    const unfinished = page.length - at;
    if (unfinished > longestMarkup) {
      result.push(page.slice(at));
      at = page.length;
    }
    this.#kept = page.slice(at);
    this.#enough = 2 * this.#kept.length;
    return result.join('');
  }

  /** Text inside an element that holds nothing else. Returns where it ends; below 0: not in what has come so far. */
  #text(page: string, from: number, isLast: boolean, result: string[]): number {
    const end = this.#inside === 'plaintext' ? -1 : endOfText(page, from, this.#inside);
    if (end >= 0) this.#inside = '';
    // the end of it may have come in part
    const to = end >= 0 ? end : isLast || this.#inside === 'plaintext' ? page.length : page.length - this.#inside.length - 2;
    if (to <= from) return end;
    result.push(page.slice(from, to));
    return to;
  }

  /** Text up to the next markup, or the markup. */
  #markup(page: string, from: number, isLast: boolean, result: string[]): number {
    const open = nextMarkup(page, from);
    if (open === undefined || open > from) {
      const to = open ?? (isLast || page.at(-1) !== '<' ? page.length : page.length - 1);
      if (to === from) return -1;
      result.push(page.slice(from, to));
      return to;
    }
    const kind = page[from + 1] as string;
    if (kind === '!' || kind === '?' || (kind === '/' && !isLetter(page.charCodeAt(from + 2)))) {
      if (!isLast && page.length - from < 4) return -1;
      const end = page.startsWith('<!--', from) ? endOfComment(page, from + 4) : page.indexOf('>', from + 2) + 1;
      if (end <= 0 && !isLast) return -1;
      const to = end <= 0 ? page.length : end;
      result.push(page.slice(from, to));
      return to;
    }
    const tag = readTag(page, kind === '/' ? from + 2 : from + 1);
    if (tag === undefined) return isLast ? page.length : -1;
    result.push(kind === '/' ? page.slice(from, tag.end) : this.#startTag(tag));
    if (kind !== '/' && textOnly.has(tag.name)) this.#inside = tag.name;
    return tag.end;
  }

  #startTag({ name, attributes, closesItself }: Tag): string {
    const links = linkAttributes[name] ?? [];
    let text = `<${name}`;
    for (const [key, raw] of attributes) {
      const value = unescape(raw.replace(/\r\n?/g, '\n'));
      text += ` ${key}="${escape(links.includes(key) ? this.#rewrite(value) : value)}"`;
    }
    return `${text}${closesItself ? '/' : ''}>`;
  }
}

interface Tag {
  readonly name: string;
  /** the first of each name, as written */
  readonly attributes: ReadonlyMap<string, string>;
  readonly closesItself: boolean;
  readonly end: number;
}

/** A tag from its name on; undefined: its end is not there. */
function readTag(page: string, start: number): Tag | undefined {
  let at = start;
  while (at < page.length && !isBlank(page[at]) && page[at] !== '/' && page[at] !== '>') at++;
  const name = page.slice(start, at).toLowerCase();
  const attributes = new Map<string, string>();
  let slash = -1;
  for (;;) {
    at = skipBlanks(page, at);
    if (at >= page.length) return undefined;
    if (page[at] === '>') return { name, attributes, closesItself: slash === at - 1, end: at + 1 };
    if (page[at] === '/') {
      slash = at++;
      continue;
    }
    const from = at;
    // a sign of equality before a name is part of it
    if (page[at] === '=') at++;
    while (at < page.length && !isBlank(page[at]) && page[at] !== '=' && page[at] !== '/' && page[at] !== '>') at++;
    const key = page.slice(from, at).toLowerCase();
    let value = '';
    const sign = skipBlanks(page, at);
    if (page[sign] === '=') {
      at = skipBlanks(page, sign + 1);
      const quote = page[at];
      if (quote === '"' || quote === "'") {
        const close = page.indexOf(quote, at + 1);
        if (close < 0) return undefined;
        value = page.slice(at + 1, close);
        at = close + 1;
      } else {
        const open = at;
        while (at < page.length && !isBlank(page[at]) && page[at] !== '>') at++;
        value = page.slice(open, at);
      }
    }
    if (!attributes.has(key)) attributes.set(key, value);
  }
}

/** Where a tag, a comment or the like begins; undefined: only text from here on, but for a sign of less at the end. */
function nextMarkup(page: string, from: number): number | undefined {
  for (let at = page.indexOf('<', from); at >= 0; at = page.indexOf('<', at + 1)) {
    const next = page.charCodeAt(at + 1);
    if (isLetter(next) || next === 0x21 || next === 0x2f || next === 0x3f) return at;
  }
  return undefined;
}

/** After the comment; 0: it does not end. */
function endOfComment(page: string, from: number): number {
  const short = /^-?>/.exec(page.slice(from, from + 2));
  if (short !== null) return from + short[0].length;
  const end = /--!?>/g;
  end.lastIndex = from;
  return end.exec(page) === null ? 0 : end.lastIndex;
}

function endOfText(page: string, from: number, name: string): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi');
  end.lastIndex = from;
  return end.exec(page)?.index ?? -1;
}

function skipBlanks(page: string, from: number): number {
  let at = from;
  while (isBlank(page[at])) at++;
  return at;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t' || character === '\f';
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function unescape(value: string): string {
  return value.replace(/&(#?\w{1,31});/g, (raw, name: string) => entities[name] ?? raw);
}

/** Entities by other names stay what they are. */
function escape(value: string): string {
  return value.replace(/&(?!#?\w{1,31};)|['<>"]/g, (character) => escapes[character] as string);
}
