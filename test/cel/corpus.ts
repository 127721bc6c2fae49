import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { compile, evaluate } from '../../src/cel/index.ts';
import { baseEnvironment } from '../../src/cel/kubernetes/environments.ts';
import type { RuleGroup } from './rule-cases.ts';
import { showValue } from './show-value.ts';

interface Suite {
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: { readonly expr: string } }[];
}

function* expressionsOf(suite: Suite): Generator<string> {
  for (const nested of suite.suites ?? []) yield* expressionsOf(nested);
  for (const test of suite.tests ?? []) yield test.original.expr;
}

/** A small generator of random numbers that gives the same ones everywhere. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pieces =
  `( ) [ ] { } . , ? : + - ! && || == in a 1 1u 2.5 's' true null has( .map(x, " = & \`ab\` @ .? [? for x.b % r" b' .all(i,`.split(' ');

/** An expression with one to three pieces put in, taken out or exchanged. */
export function mutate(expression: string, next: () => number): string {
  let mutated = expression;
  for (let count = 1 + Math.floor(next() * 3); count > 0; count--) {
    const at = Math.floor(next() * (mutated.length + 1));
    const piece = next() < 0.6 ? pieces[Math.floor(next() * pieces.length)]! : '';
    mutated = mutated.slice(0, at) + piece + mutated.slice(at + Math.floor(next() * 3));
  }
  return mutated;
}

/** Expressions of the conformance package, and broken ones made of them. */
export function corpus(mutations: number): string[] {
  const all = [...new Set([conformance, parsing, checking, comprehension].flatMap((suite) => [...expressionsOf(suite)]))];
  const plain = all.filter(
    (expression) => expression.length < 400 && expression.trim() !== '' && !/[\ud800-\udfff]|google\.protobuf/.test(expression),
  );
  const next = random(7);
  const short = plain.filter((expression) => expression.length < 60);
  for (let i = 0; i < mutations; i++) plain.push(mutate(short[Math.floor(next() * short.length)]!, next));
  return [...new Set(plain)].filter((expression) => expression.trim() !== '');
}

/**
 * Rules that hold if and only if an expression gives the value that it gives here: `dyn(expression) == dyn(value)`. What does not
 * compile is left as it is, to compare the complaint.
 */
export function corpusGroup(mutations: number): RuleGroup {
  const environment = baseEnvironment('new');
  const rules = corpus(mutations).flatMap((expression) => {
    const compiled = compile(expression, environment);
    if (!('program' in compiled)) return [expression];
    if (String(compiled.program.resultType) === 'bool') return [expression];
    const outcome = evaluate(compiled.program, {}, { limit: 1_000_000 });
    if ('error' in outcome) return [`dyn(${expression}) == dyn(0)`];
    const literal = showValue(outcome.value);
    return /kubernetes|net\.|optional_type/.test(literal) ? [] : [`dyn(${expression}) == dyn(${literal})`];
  });
  return { schema: { type: 'object', properties: { a: { type: 'integer' } } }, value: { a: 1 }, rules: [...new Set(rules)] };
}
