import { documentedLines, unescape } from './doc-comments.ts';
import type { ShortTable } from './pulumi.ts';

/** `meta/v1.d.ts` tells of `meta.v1`, `runtime.d.ts` of `pkg.runtime`: an interface or an alias for each type. */
export function readModule(path: string, source: string, into: ShortTable): void {
  const parts = path.replace(/\.d\.ts$/, '').split('/');
  const short = parts.length === 1 ? `pkg.${parts[0]}` : parts.join('.');
  let type: Map<string, string> | undefined;
  for (const { comment, line } of documentedLines(source)) {
    const name = /^export (?:interface|type) (\w+)/.exec(line)?.[1];
    const field = /^\s+"?([$\w-]+)"?\??:/.exec(line)?.[1];
    if (name !== undefined) into.set(`${short}.${name}`, (type = new Map()));
    const key = name === undefined ? field : '';
    if (type !== undefined && key !== undefined && comment !== '') type.set(key, younger(unescape(comment)));
    if (/^\}/.test(line)) type = undefined;
  }
}

/** Inlined fields have lost their mark since. */
function younger(text: string): string {
  return text.replaceAll('`json:",inline"`', '`json:""`');
}
