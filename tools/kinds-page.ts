/**
 * Writes docs/reference/kinds.md: what every built-in kind has, and how its answers compare with recorded ones.
 *   node tools/kinds-page.ts PARITY.json   (the comparison's output with one entry per kind: { kinds: { "v1/Pod": { total, exact, semantic } } })
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceDefinitions } from '../src/controlplane/resources.ts';
import { servedGroupVersions } from '../src/schema/resources.ts';

interface Score {
  readonly total: number;
  readonly exact: number;
  readonly semantic: number;
}

const [file] = process.argv.slice(2);
if (file === undefined || !existsSync(file)) throw new Error('give the JSON output of the comparison');
const { kinds } = JSON.parse(readFileSync(file, 'utf8')) as { kinds: Record<string, Score> };
const definitions = new Set(
  resourceDefinitions({
    services: {
      families: ['IPv4'],
      nodePorts: { first: 30000, size: 2768 },
      storagePrefix: '/registry',
      serviceRanges: ['10.0.0.0/24'],
    } as never,
  }).map(({ group, plural }) => `${group}/${plural}`),
);
// custom resource definitions are served by a server of their own
definitions.add('apiextensions.k8s.io/customresourcedefinitions');

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
const rows = servedGroupVersions()
  .filter(({ servedByDefault }) => servedByDefault)
  .flatMap(({ group, version, resources }) =>
    resources.map(({ name, kind }) => {
      const score = kinds[`${group === '' ? version : `${group}/${version}`}/${kind}`];
      const measured = score === undefined ? '| | |' : `| ${percent(score.exact, score.total)} | ${percent(score.semantic, score.total)} |`;
      const rules = definitions.has(`${group}/${name}`) ? 'its own' : 'generic';
      return `| ${group === '' ? 'core' : group}/${version} | ${kind} | ${rules} ${measured} ${score?.total ?? ''} |`;
    }),
  );
const page = `# Kinds

Made by \`node tools/kinds-page.ts\` from a comparison with recorded answers of kube-apiserver v1.37.1. "Its own" rules: defaults, validation, columns and
subresources of the kind are written; "generic": declared defaults, metadata rules and generic columns only. Exact: status, headers and the whole body are equal,
messages included. Semantic: status, reason and causes of failures, bodies of successes without messages.

| group and version | kind | rules | exact | semantic | cases |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
writeFileSync(join(import.meta.dirname, '../docs/reference/kinds.md'), page);
console.log(`${rows.length} kinds`);
