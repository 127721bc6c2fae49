import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { Environment } from '../../src/cel/index.ts';
import { parse } from '../../src/cel/parse.ts';
import { standardLibrary } from '../../src/cel/libraries/standard.ts';
import { debugString } from './debug-string.ts';

interface Case {
  readonly original: { readonly expr: string };
  readonly ast?: string;
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Case[];
}

function* casesOf(suite: Suite): Generator<Case> {
  for (const nested of suite.suites ?? []) yield* casesOf(nested);
  yield* suite.tests ?? [];
}

/** cel-go's parser has this macro, but neither its standard library nor any environment of Kubernetes uses it. */
const unusedMacro = 'm.existsOne(v, f)';

const { syntax } = new Environment({ libraries: [standardLibrary] });

for (const [name, suite] of [
  ['parser', parsing],
  ['comprehension', comprehension],
] as const) {
  test(`${name} cases of the specification parse and expand to the specification's trees`, () => {
    let compared = 0;
    const differences: string[] = [];
    for (const { original, ast } of casesOf(suite as unknown as Suite)) {
      if (ast === undefined || original.expr === unusedMacro) continue;
      compared++;
      const parsed = parse(original.expr, syntax);
      const got = 'root' in parsed ? debugString(parsed.root) : 'refused';
      if (got !== ast) differences.push(`${original.expr}\nwant ${ast}\ngot  ${got}`);
    }
    assert.deepEqual(differences, []);
    assert.ok(compared > 40, `compared ${compared}`);
  });
}
