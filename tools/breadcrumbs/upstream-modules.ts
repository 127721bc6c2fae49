import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder } from '../go-module.ts';
import { modulesVersion } from '../kubernetes-release.ts';

const kubernetes = 'k8s.io/kubernetes';
const library = 'std';

/** The modules that one release of Kubernetes is built from, at the versions of its go.mod; those of its own repository are published with it. */
export class UpstreamModules {
  readonly #versions: ReadonlyMap<string, string>;
  readonly #folders = new Map<string, Promise<string>>();

  private constructor(versions: ReadonlyMap<string, string>) {
    this.#versions = versions;
  }

  static async of(version: string): Promise<UpstreamModules> {
    const folder = await moduleFolder({ name: kubernetes, version });
    const goMod = readFileSync(join(folder, 'go.mod'), 'utf8');
    const versions = new Map([[kubernetes, version]]);
    for (const [, name = '', required = ''] of goMod.matchAll(/^\t([^\s=]+) (v\S+)/gm)) {
      versions.set(name, required === 'v0.0.0' ? modulesVersion(version) : required);
    }
    return new UpstreamModules(versions);
  }

  /** Files and folders of a place; empty when one of them does not exist. */
  async find(place: string): Promise<string[]> {
    const name = place.startsWith(`${library}/`) ? library : this.#moduleOf(place);
    if (name === undefined) return [];
    const folder = await this.folder(name);
    const found = expand(place.slice(name.length + 1)).map((path) =>
      path.includes('*')
        ? globSync(path, { cwd: folder })
            .toSorted()
            .map((file) => join(folder, file))
        : [join(folder, path)].filter((file) => existsSync(file)),
    );
    return found.some((files) => files.length === 0) ? [] : found.flat();
  }

  folder(name: string): Promise<string> {
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

  #moduleOf(place: string): string | undefined {
    for (let end = place.length; end > 0; end = place.lastIndexOf('/', end - 1)) {
      if (this.#versions.has(place.slice(0, end))) return place.slice(0, end);
    }
    return undefined;
  }
}

/** `{a,b}.go` is `a.go` and `b.go`. */
export function expand(path: string): string[] {
  const match = /\{([^{}]*)\}/.exec(path);
  if (match === null) return [path];
  const [braces, inside = ''] = match;
  return inside.split(',').flatMap((one) => expand(path.slice(0, match.index) + one + path.slice(match.index + braces.length)));
}

/** The Go sources of files and folders, tests aside. */
export function sourceOf(files: readonly string[]): string {
  return files.map(textOf).join('\n');
}

function textOf(file: string): string {
  if (!statSync(file).isDirectory()) return readFileSync(file, 'utf8');
  const names = readdirSync(file).filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'));
  return names.map((name) => readFileSync(join(file, name), 'utf8')).join('\n');
}

/** A pattern for a word of a symbol, which may have `*` and braces in it. */
export const wordPattern = (word: string): RegExp => new RegExp(String.raw`(?<!\w)${word.replaceAll('*', String.raw`\w*`)}(?!\w)`);
