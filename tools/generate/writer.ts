import type { Table } from '../../src/schema/table-format.ts';

/** `core-v1` -> `coreV1` */
export function identifier(id: string): string {
  return id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** One line per type, so that a change of a type is a change of a line. */
export function writeTable(table: Table): string {
  const { types, ...head } = table;
  const lines = Object.entries(types).map(([name, row]) => `${JSON.stringify(name)}:${JSON.stringify(row)}`);
  const text = `${JSON.stringify(head).slice(0, -1)},"types":{\n${lines.join(',\n')}\n}}`;
  return `export const ${identifier(table.id)} = \`${text.replace(/[\\`]|\$\{/g, '\\$&')}\`;\n`;
}

/** The list of tables with what can be known without parsing them. */
export function writeIndex(tables: readonly Table[]): string {
  const imports = tables.map(({ id }) => `import { ${identifier(id)} } from './${id}.ts';\n`).join('');
  const rows = tables
    .map(
      ({ id, package: name, group, version }) =>
        `  { id: '${id}', package: '${name}', group: '${group}', version: '${version}', text: ${identifier(id)} },\n`,
    )
    .join('');
  return `${imports}
export interface TableSource {
  readonly id: string;
  readonly package: string;
  readonly group: string;
  readonly version: string;
  readonly text: string;
}

export const tables: readonly TableSource[] = [
${rows}];
`;
}
