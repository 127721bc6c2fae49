import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultKubeletOptions } from '../../src/apis/common/kubelet.ts';
import { MetricsRegistry } from '../../src/base/metrics.ts';
import { systemClock } from '../../src/base/clock.ts';
import { StreamingClient } from '../../src/base/https/streaming-client.ts';
import { completeConfig } from '../../src/controlplane/config.ts';
import { resourceDefinitions } from '../../src/controlplane/resources.ts';
import { servedGroupVersions } from '../../src/schema/resources.ts';
import type { Tally } from './score.ts';

const root = join(import.meta.dirname, '../..');
const parts = ['definition', 'defaults', 'validation', 'columns', 'other', 'tests'] as const;

/** Writes docs/reference/kinds.md: what every built-in kind has, and how its responses compare with recorded ones. */
export function writeKindsPage(tallies: ReadonlyMap<string, Tally>): void {
  const page = `# Kinds

Made by \`npm run test:parity -- --page\` from a comparison with recorded answers of kube-apiserver v1.37.1. "Its own" rules: defaults, validation, columns and
subresources of the kind are written; "generic": declared defaults, metadata rules and generic columns only. Exact: status, headers and the whole body are equal,
messages included. Semantic: status, reason and causes of failures, bodies of successes without messages. \`npm run test:parity -- Pod\` repeats a line.

| group and version | kind | rules | exact | semantic | cases |
|---|---|---|---|---|---|
${kindRows(tallies).join('\n')}

## Lines of each kind

Without what several kinds share (\`src/apis/common\`): a definition of data and hooks, and the rules that are the kind's alone.

| folder | definition | defaults | validation | columns | other | together | tests |
|---|---|---|---|---|---|---|---|
${lineRows().join('\n')}
`;
  writeFileSync(join(root, 'docs/reference/kinds.md'), page);
}

function kindRows(tallies: ReadonlyMap<string, Tally>): string[] {
  const defined = definedResources();
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
  return servedGroupVersions()
    .filter(({ servedByDefault }) => servedByDefault)
    .flatMap(({ group, version, resources }) =>
      resources.map(({ name, kind }) => {
        const tally = tallies.get(`${group === '' ? version : `${group}/${version}`}/${kind}`);
        const measured =
          tally === undefined ? '| | |' : `| ${percent(tally.exact, tally.total)} | ${percent(tally.semantic, tally.total)} |`;
        const rules = defined.has(`${group}/${name}`) ? 'its own' : 'generic';
        return `| ${group === '' ? 'core' : group}/${version} | ${kind} | ${rules} ${measured} ${tally?.total ?? ''} |`;
      }),
    );
}

function definedResources(): Set<string> {
  const config = completeConfig();
  const definitions = resourceDefinitions({
    ...config.resources,
    metrics: new MetricsRegistry(),
    services: { ...config.services, storagePrefix: config.storage.prefix },
    outgoing: { client: new StreamingClient(systemClock), kubelets: defaultKubeletOptions },
  });
  // Custom resource definitions are served by a server of their own.
  return new Set([...definitions.map(({ group, plural }) => `${group}/${plural}`), 'apiextensions.k8s.io/customresourcedefinitions']);
}

function lineRows(): string[] {
  const folders = new Set(servedGroupVersions().flatMap(({ group, resources }) => resources.map(({ kind }) => folderOf(group, kind))));
  return [...folders].toSorted().flatMap((folder) => {
    const lines = linesOf(folder);
    if (lines === undefined) return [];
    const { tests = 0, ...rest } = lines;
    const total = Object.values(rest).reduce((sum, count) => sum + count, 0);
    const cells = parts.slice(0, -1).map((part) => lines[part] ?? '');
    return [`| ${folder} | ${cells.join(' | ')} | ${total} | ${tests || ''} |`];
  });
}

/** Where the code of a kind lives: its group by the first part of its name, the kind in kebab-case. */
function folderOf(group: string, kind: string): string {
  if (group === 'apiextensions.k8s.io') return join('src', 'apiextensions', 'definition');
  const words = kind.match(/[A-Z]+(?![a-z])|[A-Z][a-z0-9]*/g) ?? [];
  return join('src', 'apis', group === '' ? 'core' : (group.split('.')[0] as string), words.join('-').toLowerCase());
}

/** Lines by part; undefined: the kind has no folder. */
function linesOf(folder: string): Record<string, number> | undefined {
  const path = join(root, folder);
  if (!existsSync(path)) return undefined;
  const lines: Record<string, number> = {};
  for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    const part = partOf(file);
    lines[part] = (lines[part] ?? 0) + readFileSync(join(path, file), 'utf8').split('\n').length - 1;
  }
  return lines;
}

function partOf(file: string): (typeof parts)[number] {
  if (file.endsWith('.test.ts')) return 'tests';
  if (file.includes('validation')) return 'validation';
  return parts.find((part) => file === `${part}.ts`) ?? 'other';
}
