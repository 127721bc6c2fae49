import { documentedLines, unescape } from './doc-comments.ts';

/** Class name, e.g. `V1DeleteOptions` -> field -> text. */
export type ClassTable = Map<string, Map<string, string>>;

/** `gen/models/*.d.ts`: a class for each type. Paragraphs have become two spaces there. */
export function readModel(source: string, into: ClassTable): void {
  let type: Map<string, string> | undefined;
  for (const { comment, line } of documentedLines(source)) {
    const name = /^export declare class (\w+)/.exec(line)?.[1];
    if (name !== undefined) {
      into.set(name, (type = new Map()));
      put(type, '', comment);
    } else if (type !== undefined) {
      const field = /^\s*'([^']+)'\??:/.exec(line)?.[1];
      if (field !== undefined) put(type, field.replace(/^_(?=default|enum|continue|not|\$)/, ''), comment);
    }
  }
}

/** Which of the operations take which options. */
const operations: readonly (readonly [method: RegExp, options: string])[] = [
  [/^listPriorityClass$/, 'meta.v1.ListOptions'],
  [/^createPriorityClass$/, 'meta.v1.CreateOptions'],
  [/^replacePriorityClass$/, 'meta.v1.UpdateOptions'],
  [/^patchPriorityClass$/, 'meta.v1.PatchOptions'],
  [/^deletePriorityClass$/, 'meta.v1.DeleteOptions'],
  [/^readNamespacedPodLog$/, 'core.v1.PodLogOptions'],
  [/^connectGetNamespacedPodExec$/, 'core.v1.PodExecOptions'],
  [/^connectGetNamespacedPodAttach$/, 'core.v1.PodAttachOptions'],
  [/^connectGetNamespacedPodPortforward$/, 'core.v1.PodPortForwardOptions'],
  [/^connectGetNamespacedPodProxy$/, 'core.v1.PodProxyOptions'],
  [/^connectGetNamespacedServiceProxy$/, 'core.v1.ServiceProxyOptions'],
  [/^connectGetNodeProxy$/, 'core.v1.NodeProxyOptions'],
];

/** `gen/apis/*Api.d.ts`: parameters of operations are the fields of options. */
export function readOperations(source: string, into: Map<string, Map<string, string>>): void {
  for (const { comment, line } of documentedLines(source)) {
    const method = /^\s*(\w+)\(/.exec(line)?.[1];
    const options = method === undefined ? undefined : operations.find(([pattern]) => pattern.test(method))?.[1];
    if (options === undefined || into.has(options)) continue;
    const fields = new Map<string, string>();
    for (const row of comment.split('\n')) {
      const [, name, text] = /^@param (\w+) (.+)$/.exec(row) ?? [];
      if (name !== undefined && text !== undefined) put(fields, name.replace(/^_/, ''), text);
    }
    if (fields.size > 0) into.set(options, fields);
    // A get takes of them what a list does.
    const version = fields.get('resourceVersion');
    if (options === 'meta.v1.ListOptions' && version !== undefined) into.set('meta.v1.GetOptions', new Map([['resourceVersion', version]]));
  }
}

function put(type: Map<string, string>, field: string, comment: string): void {
  if (comment !== '') type.set(field, restoreLines(unescape(comment)));
}

/** Each line break has become a space. Runs of spaces tell where there were some: paragraphs, and lines of examples with their indent. */
function restoreLines(text: string): string {
  return text
    .replace(/(?<=\S) {3,5}(?=\S)/g, (run) => (run.length === 4 ? '\n\n  ' : `\n${run.slice(1)}`))
    .replace(/(?<=[.:)\]}"'`]) {2}(?=\S)/g, '\n\n')
    .replace(/(\n {2}- \S+) {2}(?=\S)/g, '$1\n\n')
    .replace(/(?<=\.) (?=- `)/g, '\n');
}
