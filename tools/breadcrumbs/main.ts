// npm run check:upstream [ROOT]: whether what breadcrumbs name exists in the modules of the Kubernetes release. Needs Go, and its module cache or a network.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { breadcrumbLines, parseBreadcrumbs } from '../check/breadcrumbs.ts';
import type { Breadcrumb } from '../check/breadcrumbs.ts';
import { readSources } from '../check/sources.ts';
import { moduleVersions } from '../generate/modules.ts';
import { moduleFolder } from '../go-module.ts';

const kubernetes = 'k8s.io/kubernetes';
const library = 'std';

/** The modules that Kubernetes is built from, at the versions of its go.mod; those that live in its own repository are published with it. */
async function pinnedVersions(): Promise<ReadonlyMap<string, string>> {
  const folder = await moduleFolder({ name: kubernetes, version: moduleVersions[kubernetes] });
  const goMod = readFileSync(join(folder, 'go.mod'), 'utf8');
  const required = goMod.matchAll(/^\t([^\s=]+) (v\S+)/gm);
  const versions = new Map([[kubernetes, moduleVersions[kubernetes] as string]]);
  for (const [, name = '', version = ''] of required) versions.set(name, version === 'v0.0.0' ? moduleVersions['k8s.io/api'] : version);
  return versions;
}

class Modules {
  readonly #versions: ReadonlyMap<string, string>;
  readonly #folders = new Map<string, Promise<string>>();

  constructor(versions: ReadonlyMap<string, string>) {
    this.#versions = versions;
  }

  /** Files and folders of a place; empty when one of them does not exist. */
  async find(place: string): Promise<string[]> {
    const name = place.startsWith(`${library}/`) ? library : this.#moduleOf(place);
    if (name === undefined) return [];
    const folder = await this.#folder(name);
    const found = expand(place.slice(name.length + 1)).map((path) =>
      path.includes('*')
        ? globSync(path, { cwd: folder }).map((file) => join(folder, file))
        : [join(folder, path)].filter((file) => existsSync(file)),
    );
    return found.some((files) => files.length === 0) ? [] : found.flat();
  }

  #moduleOf(place: string): string | undefined {
    for (let end = place.length; end > 0; end = place.lastIndexOf('/', end - 1)) {
      if (this.#versions.has(place.slice(0, end))) return place.slice(0, end);
    }
    return undefined;
  }

  #folder(name: string): Promise<string> {
    let folder = this.#folders.get(name);
    if (folder === undefined) {
      folder =
        name === library
          ? Promise.resolve(join(execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim(), 'src'))
          : moduleFolder({ name, version: this.#versions.get(name) as string });
      this.#folders.set(name, folder);
    }
    return folder;
  }
}

/** `{a,b}.go` is `a.go` and `b.go`. */
function expand(path: string): string[] {
  const match = /\{([^{}]*)\}/.exec(path);
  if (match === null) return [path];
  const [braces, inside = ''] = match;
  return inside.split(',').flatMap((one) => expand(path.slice(0, match.index) + one + path.slice(match.index + braces.length)));
}

function textOf(file: string): string {
  if (!statSync(file).isDirectory()) return readFileSync(file, 'utf8');
  const names = readdirSync(file).filter((name) => name.endsWith('.go'));
  return names.map((name) => readFileSync(join(file, name), 'utf8')).join('\n');
}

/** `Type.Method` is there when both words are. */
function isNamed(symbol: string, text: string): boolean {
  return symbol
    .split('.')
    .every((word) => expand(word).every((one) => new RegExp(String.raw`(?<!\w)${one.replaceAll('*', String.raw`\w*`)}(?!\w)`).test(text)));
}

async function problemsOf({ place, symbols }: Breadcrumb, modules: Modules): Promise<string[]> {
  const files = await modules.find(place);
  if (files.length === 0) return [`${place} does not exist`];
  if (symbols.length === 0) return [];
  const text = files.map(textOf).join('\n');
  return symbols.filter((symbol) => !isNamed(symbol, text)).map((symbol) => `${place} has no ${symbol}`);
}

const modules = new Modules(await pinnedVersions());
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
console.log(
  `check:upstream: ${places} places in ${kubernetes} ${moduleVersions[kubernetes]} and what it is built from, ${problems} missing`,
);
process.exitCode = problems === 0 ? 0 : 1;
