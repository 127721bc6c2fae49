// Upstream: github.com/google/cel-go/common/source.go, github.com/google/cel-go/common/error.go, github.com/google/cel-go/common/errors.go

/** Offset of an issue that belongs to no place in the expression. */
export const nowhere = -1;

export interface Issue {
  /** UTF-16 offset into the expression, or nowhere. */
  readonly offset: number;
  readonly message: string;
}

const issueLimit = 100;
const snippetLimit = 16384;

/** Collects issues; only the first hundred keep their text, the rest is counted. */
export class Issues {
  readonly list: Issue[] = [];
  count = 0;

  report(offset: number, message: string): void {
    this.count++;
    if (this.count <= issueLimit) this.list.push({ offset, message });
  }
}

interface Place {
  readonly line: number;
  /** Counted in code points. */
  readonly column: number;
}

function placeOf(expression: string, offset: number): Place {
  if (offset < 0) return { line: -1, column: -1 };
  // Upstream places everything before the first column of an empty expression.
  if (expression === '') return { line: 1, column: -1 };
  let line = 1;
  let lineStart = 0;
  for (let at = expression.indexOf('\n'); at >= 0 && at < offset; at = expression.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: codePoints(expression.slice(lineStart, offset)) };
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const before = text.charCodeAt(i - 1);
    if (unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff) count--;
  }
  return count;
}

function pointer(snippet: string, column: number): string {
  let dots = '';
  let i = 0;
  const characters = [...snippet];
  for (; i < column && i < characters.length; i++) dots += characters[i]! > '\x7f' ? '\uff0e' : '.';
  return dots + (i < characters.length && characters[i]! > '\x7f' ? '\uff3e' : '^');
}

function render(expression: string, issue: Issue, place: Place): string {
  const head = `ERROR: <input>:${place.line}:${place.column + 1}: ${issue.message}`;
  const raw = place.line > 0 ? expression.split('\n')[place.line - 1] : undefined;
  if (raw === undefined || expression.length === 0 || Buffer.byteLength(raw) > snippetLimit) return head;
  const snippet = raw.replaceAll('\t', ' ');
  return `${head}\n | ${snippet}\n | ${pointer(snippet, place.column)}`;
}

/** The text clients see: every issue with its place, the line it is in and a caret under the character. */
export function renderIssues(expression: string, issues: Issues): string {
  const placed = issues.list.map((issue) => ({ issue, place: placeOf(expression, issue.offset) }));
  placed.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  const lines = placed.map(({ issue, place }) => render(expression, issue, place));
  if (issues.count > issueLimit) lines.push(`${issues.count - issueLimit} more errors were truncated`);
  return lines.join('\n');
}
