/**
 * npm run test:manifests [-- PROJECT ...]    objects of public projects, through the same life on ours and on upstream
 *   --limit N     at most N documents of a project, always the same     --show N    the most frequent differences (40)
 *   --failing     names of the cases that differ                        --list      counts documents only
 *   --json FILE   figures for other programs
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { moduleFolder } from '../../tools/go-module.ts';
import { ParityClient } from '../parity/client.ts';
import { startOurs, startReference } from '../parity/servers.ts';
import { Comparison } from './comparison.ts';
import { createDefinitions, definitionCases, isDefinition, orderConditions, waitForDefinitions } from './definitions.ts';
import type { Document } from './documents.ts';
import { documentsIn } from './documents.ts';
import { isFarReaching } from './manifest-cases.ts';
import { projects } from './projects.ts';
import { servedKinds } from './served-kinds.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string' },
    show: { type: 'string', default: '40' },
    failing: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const leastDefinitions = 500;

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-manifests-'));

async function main(): Promise<void> {
  const documents = await readDocuments();
  const definitions = firstOfEach(documents.filter(isDefinition));
  const others = documents.filter((document) => !isDefinition(document));
  console.log(`${projects.length} projects, ${documents.length} documents, ${definitions.length} definitions of custom resources`);
  if (options.list) return;
  await using reference = await startReference(folder);
  await using ours = await startOurs(folder);
  using referenceClient = new ParityClient(reference.target);
  using ourClient = new ParityClient(ours.target);
  const comparison = new Comparison(referenceClient, ourClient);
  for await (const { recorded, results } of createDefinitions(definitions, referenceClient, ourClient))
    await comparison.addOnce(recorded, results);
  const counts = await Promise.all([waitForDefinitions(referenceClient), waitForDefinitions(ourClient)]);
  console.log(`definitions established: upstream ${counts[0]}, ours ${counts[1]}`);
  await Promise.all([orderConditions(referenceClient), orderConditions(ourClient)]);
  const kinds = await servedKinds(referenceClient);
  for (const project of selected()) {
    const own = others.filter((document) => document.project === project.name && !isFarReaching(document));
    await comparison.play(project.name, await comparison.cases(own, kinds));
  }
  await comparison.play('far-reaching kinds', await comparison.cases(others.filter(isFarReaching), kinds), { concurrency: 1 });
  const lives = definitions.map(definitionCases);
  await comparison.play(
    'definitions',
    lives.map(([lived]) => lived),
    { isOnce: true },
  );
  const present = await waitForDefinitions(ourClient);
  await comparison.play(
    'definitions deleted',
    lives.map(([, deleted]) => deleted),
    { isOnce: true },
  );
  for (const line of comparison.lines({ causes: Number(options.show), failing: options.failing })) console.log(line);
  const { total, failing, causes, categories } = comparison.score;
  const tooFew = words.length === 0 && present < leastDefinitions;
  console.log(`${present} definitions at the end${tooFew ? `, fewer than ${leastDefinitions}` : ''}`);
  if (options.json !== undefined)
    writeFileSync(options.json, JSON.stringify({ total, projects: Object.fromEntries(categories), failing, causes, definitions: present }));
  console.log(`\n${total.exact} passed, ${failing.length} failed`);
  process.exitCode = failing.length === 0 && !tooFew ? 0 : 1;
}

const selected = (): typeof projects => projects.filter(({ name }) => words.length === 0 || words.includes(name));

async function readDocuments(): Promise<Document[]> {
  const seen = new Set<string>();
  const documents: Document[] = [];
  for (const { name, module } of selected()) {
    const found = documentsIn(name, await moduleFolder(module)).filter(({ text }) => {
      const isNew = !seen.has(text);
      seen.add(text);
      return isNew;
    });
    const order = ({ place }: Document): string => createHash('sha1').update(place).digest('hex');
    const limit = options.limit === undefined ? found.length : Number(options.limit);
    const kept = found.filter((one) => isDefinition(one));
    const rest = found.filter((one) => !isDefinition(one)).toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
    documents.push(...kept, ...rest.slice(0, limit));
    if (options.list) console.log(`${name.padEnd(32)} ${String(found.length).padStart(5)} documents, ${kept.length} definitions`);
  }
  return documents;
}

const firstOfEach = (documents: readonly Document[]): Document[] => [
  ...new Map(documents.toReversed().map((document) => [document.object.metadata.name, document])).values(),
];

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
