import type { ServedGroupVersion } from '../../src/schema/resource-format.ts';
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
  return constant(identifier(table.id), text);
}

/** One line per resource. */
export function writeResources(groupVersions: readonly ServedGroupVersion[]): string {
  const texts = groupVersions.map(({ resources, ...head }) => {
    const lines = resources.map((resource) => JSON.stringify(resource));
    return `${JSON.stringify(head).slice(0, -1)},"resources":[\n${lines.join(',\n')}\n]}`;
  });
  return constant('resources', `[${texts.join(',\n')}]`);
}

function constant(name: string, text: string): string {
  return `export const ${name} = \`${text.replace(/[\\`]|\$\{/g, '\\$&')}\`;\n`;
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
