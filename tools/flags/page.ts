import { serverFlagGroups } from '../../src/cli/flags/index.ts';

/** docs/reference/flags.md. */
export function flagsPage(): string {
  const groups = serverFlagGroups.map(({ title, flags }) => {
    const rows = Object.entries(flags)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { kind, fallback, help, deprecated, shorthand }]) => {
        const flag = `\`--${name}\`${shorthand === undefined ? '' : `, \`-${shorthand}\``}`;
        const shown = kind.show(fallback);
        const text = deprecated === undefined ? help : `${help} (deprecated)`;
        return `| ${flag} | ${kind.word || 'bool'} | ${shown === '' ? '' : `\`${cell(shown)}\``} | ${cell(text)} |`;
      });
    return `## ${title}\n\n| flag | value | default | what it does |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Flags of kube-apiserver

Written by \`npm run flags\` from the definitions that the command parses; a test says that it is current. Names, values and defaults are those of upstream,
except for those under Wheelhouse, which only this server has. A value that cannot be honoured stops the start with one line that names the flag.

${groups.join('\n')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
