import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import type { Activation, Program } from '../../src/cel/index.ts';
import { compile, Environment, evaluate, PacedEvaluation } from '../../src/cel/index.ts';
import { bindingsLibrary } from '../../src/cel/libraries/bindings.ts';
import { comprehensionsLibrary } from '../../src/cel/libraries/comprehensions.ts';
import { encodersLibrary } from '../../src/cel/libraries/encoders.ts';
import { mathLibrary } from '../../src/cel/libraries/math.ts';
import { optionalLibrary } from '../../src/cel/libraries/optional.ts';
import { standardLibrary } from '../../src/cel/libraries/standard.ts';
import { stringsLibrary } from '../../src/cel/libraries/strings.ts';
import type { CelType } from '../../src/cel/types.ts';
import type { Value } from '../../src/cel/values.ts';
import { CelError } from '../../src/cel/values.ts';
import { NotApplicableError, readType, readValue } from './conformance-values.ts';
import { showValue } from './show-value.ts';

type Json = { readonly [key: string]: unknown };

interface Case {
  readonly original: Json & { readonly expr: string };
  readonly type?: string;
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly Case[];
}

function* casesOf(suite: Suite, path: readonly string[] = []): Generator<readonly [string, Case]> {
  for (const nested of suite.suites ?? []) yield* casesOf(nested, [...path, nested.name]);
  for (const each of suite.tests ?? []) yield [path.join('/'), each];
}

/** Suites and expressions about protobuf messages and enums, or about cel.block, which no environment of Kubernetes has. */
const protobuf =
  /google\.protobuf\.Any|NullValue\.|TestAllTypes|TestRequired|proto[23]|NestedEnum|GlobalEnum|cel\.expr|cel\.block|cel\.iterVar/;

/** Where cel-go, which Kubernetes embeds, differs from the specification: we do as it does. */
const deviations: ReadonlySet<string> = new Set([
  "dyn({0:1,2:2,5:3}[dyn(b'')]) || true",
  "dyn({0:1,2:2,5:3}[dyn(b'')]) && false",
  '{true:1,false:2,true:3}[true]',
  '{0: 1, 0u: 2}[0.0]',
  "{'null_key': dyn(null)}.?null_key.invalid.hasValue()",
  '{true: dyn(0)}[?true].absent.hasValue()',
  "'tacocat'.indexOf('a', 30) == -1",
  "'tacocat'.lastIndexOf('a', 30) == -1",
  'x.getMilliseconds()',
]);

const libraries = [
  standardLibrary,
  optionalLibrary,
  stringsLibrary(4),
  comprehensionsLibrary,
  mathLibrary,
  bindingsLibrary,
  encodersLibrary,
];

function variablesOf(original: Json): Record<string, CelType> {
  const declarations = (original['typeEnv'] ?? []) as readonly { readonly name: string; readonly ident?: { readonly type: Json } }[];
  return Object.fromEntries(
    declarations.map(({ name, ident }) => {
      if (!ident) throw new NotApplicableError('function declaration');
      return [name, readType(ident.type)];
    }),
  );
}

/** The value, an error, or nothing in particular. */
function expectation(original: Json): Value | undefined {
  if (original['evalError']) return new CelError('any');
  const typed = original['typedResult'] as { readonly result?: Json } | undefined;
  if (typed) return typed.result && readValue(typed.result);
  return original['value'] ? readValue(original['value'] as Json) : true;
}

/** Undefined when the case passes, else what is wrong. */
function run({ original }: Case): string | undefined {
  if (original['disableCheck'] || original['disableMacros'] || protobuf.test(original.expr))
    throw new NotApplicableError('not for checked JSON values');
  const environment = new Environment({
    libraries,
    variables: variablesOf(original),
    container: (original['container'] as string | undefined) ?? '',
    crossTypeComparisons: true,
  });
  const bindings = Object.entries((original['bindings'] ?? {}) as Record<string, { readonly value: Json }>);
  const activation = Object.fromEntries(bindings.map(([name, { value }]) => [name, readValue(value)]));
  const expected = expectation(original);
  const compiled = compile(original.expr, environment);
  if (!('program' in compiled)) return expected instanceof CelError ? undefined : JSON.stringify(compiled);
  const outcome = evaluate(compiled.program, activation, { limit: Infinity });
  const { cost, shown: inParts } = evaluateInParts(compiled.program, activation);
  if (cost !== outcome.cost || inParts !== ('error' in outcome ? outcome.error : showValue(outcome.value)))
    return `in parts: ${inParts}, ${cost}`;
  if ('error' in outcome) return expected instanceof CelError || original['typedResult'] ? undefined : outcome.error;
  if (expected === undefined) return undefined;
  const shown = showValue(outcome.value);
  return !(expected instanceof CelError) && shown === showValue(expected) ? undefined : shown;
}

/** Suspended after each call and resumed, an expression gives the same, and costs the same. */
function evaluateInParts(program: Program, activation: Activation): { readonly shown: string; readonly cost: number } {
  const paced = new PacedEvaluation(program, activation, { limit: Infinity }, 0);
  for (;;) {
    const outcome = paced.run();
    if (outcome !== undefined) return { shown: 'error' in outcome ? outcome.error : showValue(outcome.value), cost: outcome.cost };
  }
}

test('conformance cases for the language and its extensions pass', (context) => {
  const failures: string[] = [];
  let passed = 0;
  let skipped = 0;
  for (const [suite, each] of casesOf(conformance as Suite)) {
    try {
      const wrong = run(each);
      if (wrong === undefined) passed++;
      else if (!deviations.has(each.original.expr)) failures.push(`${suite}: ${each.original.expr}: ${wrong}`);
    } catch (cause) {
      if (!(cause instanceof NotApplicableError)) throw cause;
      skipped++;
    }
  }
  context.diagnostic(`${passed} passed, ${failures.length} failed`);
  assert.deepEqual(failures, []);
  assert.ok(passed >= 1_580, `${passed} passed, ${skipped} do not apply`);
});

test('types of expressions equal those that cel-go finds', (context) => {
  const environment = new Environment({ libraries, crossTypeComparisons: true });
  const different: string[] = [];
  let compared = 0;
  for (const suite of [conformance, parsing, checking]) {
    for (const [, { original, type }] of casesOf(suite as Suite)) {
      if (type === undefined || original['typeEnv'] || original['container']) continue;
      const compiled = compile(original.expr, environment);
      if (!('program' in compiled)) continue;
      compared++;
      if (String(compiled.program.resultType) !== type)
        different.push(`${original.expr}: ${String(compiled.program.resultType)}, not ${type}`);
    }
  }
  context.diagnostic(`${compared - different.length} passed, ${different.length} failed`);
  assert.deepEqual(different, []);
  assert.ok(compared > 1_200, String(compared));
});
