import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lifecycle } from '../../src/schema/table-format.ts';

/** When kinds came, are discouraged and go; the warnings of deprecated kinds follow from it. */
export function readLifecycles(directory: string): Record<string, Lifecycle> {
  // most are generated, some of the core group are written by hand
  const files = ['zz_generated.prerelease-lifecycle.go', 'lifecycle.go'].map((name) => join(directory, name)).filter(existsSync);
  const text = files.map((file) => readFileSync(file, 'utf8')).join('');
  const found: Record<string, { -readonly [Key in keyof Lifecycle]: Lifecycle[Key] }> = {};
  for (const [, kind = '', what = '', body = ''] of text.matchAll(/func \(in \*(\w+)\) APILifecycle(\w+)\(\) .*\{\n\treturn (.*)\n\}/g)) {
    const lifecycle = (found[kind] ??= {});
    if (what === 'Replacement') {
      const [, group, version, replacement] = /Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"/.exec(body) ?? [];
      if (replacement === undefined) throw new Error(`replacement of ${kind}: ${body}`);
      lifecycle.replacement = [group as string, version as string, replacement];
    } else {
      lifecycle[what.toLowerCase() as 'introduced' | 'deprecated' | 'removed'] = body.replace(', ', '.');
    }
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
