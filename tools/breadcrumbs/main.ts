// npm run check:upstream [ROOT]: whether what breadcrumbs name exists in the modules of the Kubernetes release. Needs Go, and its module cache or a network.
import { join } from 'node:path';
import { breadcrumbLines, parseBreadcrumbs } from '../check/breadcrumbs.ts';
import type { Breadcrumb } from '../check/breadcrumbs.ts';
import { readSources } from '../check/sources.ts';
import { kubernetesRelease } from '../kubernetes-release.ts';
import { expand, sourceOf, UpstreamModules, wordPattern } from './upstream-modules.ts';

/** `Type.Method` is there when both words are. */
function isNamed(symbol: string, text: string): boolean {
  return symbol.split('.').every((word) => expand(word).every((one) => wordPattern(one).test(text)));
}

async function problemsOf({ place, symbols }: Breadcrumb, modules: UpstreamModules): Promise<string[]> {
  const files = await modules.find(place);
  if (files.length === 0) return [`${place} does not exist`];
  if (symbols.length === 0) return [];
  const text = sourceOf(files);
  return symbols.filter((symbol) => !isNamed(symbol, text)).map((symbol) => `${place} has no ${symbol}`);
}

const { version } = kubernetesRelease;
const modules = await UpstreamModules.of(version);
let places = 0;
let problems = 0;
for (const { path, text } of readSources(process.argv[2] ?? join(import.meta.dirname, '../..'))) {
  for (const { line, text: comment } of breadcrumbLines(text)) {
    for (const breadcrumb of parseBreadcrumbs(comment) ?? []) {
      places++;
      for (const problem of await problemsOf(breadcrumb, modules)) {
        problems++;
        console.error(`${path}:${line}: ${problem}`);
      }
    }
  }
}
console.log(`check:upstream: ${places} places in k8s.io/kubernetes ${version} and what it is built from, ${problems} missing`);
process.exitCode = problems === 0 ? 0 : 1;
