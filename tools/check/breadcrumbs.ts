import { lineAt } from './sources.ts';
import type { Rule } from './sources.ts';

/**
 * A place in upstream's sources. Written as `module/path`, then `#symbol` where a part of it is meant, `, #symbol` for more of the same file;
 * several places are separated by `, `. Paths may have `{a,b}` and `*`, symbols too; the module of Go's standard library is `std`.
 */
export interface Breadcrumb {
  /** module and path in one, as in `k8s.io/apiserver/pkg/server/config.go`: where one ends only the list of modules says */
  readonly place: string;
  readonly symbols: readonly string[];
}

const intended = /^[ \t]*(?:\/\/|\/?\*+)[ \t]*upstream[ \t]*:.*$/gim;
const wellPlaced = /^\/\/ Upstream: (\S.*)$/;
const part = String.raw`[\w.*!~-]|\{[\w.,*/-]+\}`;
const placePattern = new RegExp(String.raw`^(?:std|[\w-]+(?:\.[\w-]+)+)(?:/(?:${part})+)+(?:#(.+))?$`);
const symbolPattern = /^(?:[\w.*]|\{[\w,]+\})+$/;

/** undefined: it is not in the grammar. */
export function parseBreadcrumbs(line: string): Breadcrumb[] | undefined {
  const text = wellPlaced.exec(line)?.[1];
  if (text === undefined) return undefined;
  const found: { place: string; symbols: string[] }[] = [];
  for (const item of text.split(', ')) {
    const last = found.at(-1);
    const match = placePattern.exec(item);
    const symbol = item.startsWith('#') ? item.slice(1) : match?.[1];
    if (symbol !== undefined && !symbolPattern.test(symbol)) return undefined;
    if (match !== null) found.push({ place: item.split('#', 1)[0] as string, symbols: symbol === undefined ? [] : [symbol] });
    else if (symbol !== undefined && last !== undefined && last.symbols.length > 0) last.symbols.push(symbol);
    else return undefined;
  }
  return found;
}

export interface BreadcrumbLine {
  readonly line: number;
  readonly text: string;
}

/** Comments that begin with the word, whether or not they are well written. */
export function* breadcrumbLines(text: string): Generator<BreadcrumbLine> {
  for (const match of text.matchAll(intended)) yield { line: lineAt(text, match.index), text: match[0] };
}

/** Breadcrumbs are written so that a tool can follow them. */
export const breadcrumbsInGrammar: Rule = function* (sources) {
  for (const { path, text } of sources) {
    for (const { line, text: comment } of breadcrumbLines(text)) {
      if (parseBreadcrumbs(comment) === undefined) {
        yield {
          path,
          line,
          message: 'a breadcrumb is `// Upstream: module/path[#symbol]`, several separated by `, `; remarks go on a line of their own',
        };
      }
    }
  }
};
