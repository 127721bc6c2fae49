/** A line of a declaration file with the comment before it. */
export interface Documented {
  readonly comment: string;
  readonly line: string;
}

/** The lines of a declaration file that are not comments, each with the comment that ends right before it. */
export function* documentedLines(source: string): Generator<Documented> {
  let comment: string[] | undefined;
  let text = '';
  for (const line of source.split('\n')) {
    const whole = comment === undefined ? /^\s*\/\*\* (.*) \*\/\s*$/.exec(line)?.[1] : undefined;
    if (whole !== undefined) {
      text = whole.trim();
    } else if (comment === undefined && /^\s*\/\*\*\s*$/.test(line)) {
      comment = [];
    } else if (comment !== undefined && /^\s*\*\/\s*$/.test(line)) {
      text = comment.join('\n').trim();
      comment = undefined;
    } else if (comment !== undefined) {
      comment.push(line.replace(/^\s*\* ?/, ''));
    } else {
      yield { comment: text, line };
      text = '';
    }
  }
}

const named: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };

/** What generators write instead of characters that might end a comment. */
export function unescape(text: string): string {
  return text.replace(/\\(['"`&])/g, '$1').replace(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (whole, entity: string) => {
    if (entity.startsWith('#x')) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
    if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
    return named[entity] ?? whole;
  });
}
