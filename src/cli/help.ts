import type { Flag, FlagGroup } from './flags/flag.ts';

/** All flags under the headings of their groups, in alphabetical order, as wide as the terminal asks. */
export function renderHelp(intro: string, usage: string, groups: readonly FlagGroup[], width = 0): string {
  const sections = groups.map(({ title, flags }) => {
    const rows = Object.entries(flags)
      .filter(([, { hidden }]) => hidden !== true)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, flag]) => ({ left: leftColumn(name, flag), help: describe(flag) }));
    const column = Math.max(...rows.map(({ left }) => left.length)) + 3;
    const lines = rows.map(({ left, help }) => left.padEnd(column) + wrap(help, column, width));
    return `\n${title} flags:\n\n${lines.join('\n')}\n`;
  });
  return `${intro}\n\nUsage:\n  ${usage}\n${sections.join('')}`;
}

function leftColumn(name: string, { kind, shorthand }: Flag): string {
  return `${shorthand === undefined ? '      ' : `  -${shorthand}, `}--${name}${kind.word === '' ? '' : ` ${kind.word}`}`;
}

function describe(flag: Flag): string {
  const shown = flag.kind.show(flag.fallback);
  return `${flag.help}${shown === '' ? '' : ` (default ${shown})`}${flag.deprecated === undefined ? '' : ` (DEPRECATED: ${flag.deprecated})`}`;
}

function wrap(text: string, indent: number, width: number): string {
  const room = width - indent;
  if (room < 24) return text;
  let line = '';
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
