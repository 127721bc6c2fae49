import type { DescriptionTable } from '../../src/openapi/descriptions.ts';
import { tables } from '../../src/schema/generated/index.ts';
import { createSchema } from '../../src/schema/index.ts';
import type { Table } from '../../src/schema/table-format.ts';
import { documentedLines, unescape } from './doc-comments.ts';
import { filesIn } from './tar.ts';

/** `core.v1.Pod` -> field -> text; the type's own text is at the empty name. */
type ShortTable = Map<string, Map<string, string>>;

/** Paragraphs that tell how the package itself handles a kind. */
const ownWords = /\n\n(?:This resource waits until|By default, |If the [A-Za-z]+ has not reached|## |Note: )[\s\S]*$/;

const wanted = /^package\/(types\/output|\w+\/v\w+\/\w+List)\.d\.ts$/;

/** What the package says of the types that we have. */
export function readPackage(archive: Buffer): DescriptionTable {
  const types: ShortTable = new Map();
  for (const { path, text } of filesIn(archive, (one) => wanted.test(one))) {
    if (path.endsWith('output.d.ts')) readTypes(text, types);
    else readList(path.slice('package'.length), text, types);
  }
  const schema = createSchema();
  const names = tables.flatMap((source) => {
    return Object.keys((JSON.parse(source.text) as Table).types).map((name) => `${source.package}.${name}`);
  });
  const described: Record<string, Record<string, string>> = {};
  for (const name of names) {
    const type = types.get(name.split('.').slice(-3).join('.'));
    const row: Record<string, string> = {};
    for (const field of ['', ...(schema.structByName(name)?.fields.map((one) => one.name) ?? [])]) {
      const text = type?.get(field) ?? type?.get(field.replaceAll('-', '_'));
      if (text !== undefined) row[field] = text;
    }
    if (Object.keys(row).length > 0) described[name] = row;
  }
  return described;
}

/** `types/output.d.ts`: namespaces of group and version with an interface for each type. */
export function readTypes(source: string, into: ShortTable): void {
  const namespaces: string[] = [];
  let type: Map<string, string> | undefined;
  for (const { comment, line } of documentedLines(source)) {
    const namespace = /^\s*(?:export declare )?namespace (\w+) \{/.exec(line)?.[1];
    const name = /^\s*interface (\w+) \{/.exec(line)?.[1];
    if (namespace !== undefined) {
      namespaces.push(namespace);
    } else if (name !== undefined) {
      into.set([...namespaces, name].join('.'), (type = new Map()));
      put(type, '', comment);
    } else if (/^\s*\}\s*$/.test(line)) {
      if (type === undefined) namespaces.pop();
      type = undefined;
    } else if (type !== undefined) {
      put(type, fieldOf(line, /^\s*"?([$\w]+)"?\??:/), comment);
    }
  }
}

/** `apps/v1/deploymentList.d.ts`: lists are there as classes only. */
export function readList(path: string, source: string, into: ShortTable): void {
  const [, group, version] = path.split('/');
  let type: Map<string, string> | undefined;
  for (const { comment, line } of documentedLines(source)) {
    const name = /^export declare class (\w+List) /.exec(line)?.[1];
    if (name !== undefined) {
      into.set(`${group}.${version}.${name}`, (type = new Map()));
      put(type, '', comment);
    } else if (/^\}/.test(line)) {
      type = undefined;
    } else if (type !== undefined) {
      put(type, fieldOf(line, /^\s*readonly (\w+): /), comment);
    }
  }
}

function fieldOf(line: string, pattern: RegExp): string | undefined {
  return pattern.exec(line)?.[1];
}

function put(type: Map<string, string>, field: string | undefined, comment: string): void {
  if (field !== undefined && comment !== '') {
    const text = unescape(comment.replace(ownWords, ''));
    type.set(field, field === '' ? withTabs(text) : text);
  }
}

/** Code is indented by a tab where it comes from. */
function withTabs(text: string): string {
  return text.replace(/^ {4}/gm, '\t');
}
