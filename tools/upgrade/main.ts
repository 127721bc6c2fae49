/**
 * npm run upgrade -- v1.38.0 [--from v1.37.1] [--write]    what changes for this repository with another Kubernetes release. Needs Go.
 *   Prints a work list as Markdown: files of ours whose breadcrumbs name something that changed, and what came, went or changed among
 *   types, paths, gates, metrics, flags and markers.
 *   --write   also moves kubernetes-release.json and makes all generated files anew
 * docs/guides/upgrade.md says what to do with it.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UpstreamModules } from '../breadcrumbs/upstream-modules.ts';
import { readSources } from '../check/sources.ts';
import { moduleSum } from '../go-module.ts';
import type { KubernetesRelease } from '../kubernetes-release.ts';
import { kubernetesRelease, modulesVersion, releaseFile } from '../kubernetes-release.ts';
import { factsOf } from './release-facts.ts';
import { factChanges, followedChanges } from './work-list.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: kubernetesRelease.version }, write: { type: 'boolean', default: false } },
});
const [version] = positionals;
if (version === undefined || !/^v1\.\d+\.\d+/.test(version)) {
  console.error('usage: npm run upgrade -- v1.38.0 [--from v1.37.1] [--write]');
  process.exit(2);
}
const root = join(import.meta.dirname, '../..');
console.error(`fetching ${values.from} and ${version} ...`);
const [from, to] = [await UpstreamModules.of(values.from), await UpstreamModules.of(version)];
console.error('comparing what breadcrumbs name ...');
const followed = await followedChanges(readSources(root), from, to);

console.log(`# From ${values.from} to ${version}\n`);
console.log(`## Files that follow something that changed: ${new Set(followed.map(({ path }) => path)).size}\n`);
for (const { path, line, place, declarations, texts } of followed) {
  console.log(
    `- [ ] \`${path}:${line}\` follows \`${place}\`, ${declarations.length === 0 ? 'which is gone' : `where these changed: ${declarations.join(', ')}`}`,
  );
  for (const text of texts.slice(0, 12)) console.log(`  - \`${text.replaceAll('`', "'").replaceAll('\n', ' ')}\``);
}
const [old, now] = [await factsOf(from), await factsOf(to)];
for (const [topic, facts] of Object.entries(now)) {
  const changes = factChanges(old[topic] ?? new Map(), facts);
  const count = Object.values(changes).reduce((sum: number, list: readonly string[]) => sum + list.length, 0);
  console.log(`\n## ${topic}: ${count}\n`);
  for (const [what, names] of Object.entries(changes) as [string, readonly string[]][])
    for (const name of names) console.log(`- [ ] ${what}: ${name}`);
}

if (values.write) {
  const release: KubernetesRelease = { version, modules: modulesVersion(version), sum: await moduleSum('k8s.io/kubernetes', version) };
  writeFileSync(releaseFile, `${JSON.stringify(release, undefined, 2)}\n`);
  for (const tool of [
    'generate/main.ts',
    'generate/bootstrap-policy.ts',
    'generate/bootstrap-objects.ts',
    'feature-gates/main.ts',
    'internal-shapes/main.ts',
    'descriptions/main.ts',
  ]) {
    console.error(`tools/${tool} ...`);
    execFileSync(process.execPath, [join(root, 'tools', tool)], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  }
}
