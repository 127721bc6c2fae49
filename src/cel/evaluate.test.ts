import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activation, Evaluation, Program } from './index.ts';
import { adaptJson, compile, evaluate, PacedEvaluation } from './index.ts';
import { baseEnvironment } from './kubernetes/environments.ts';
import { compileRegex } from './regex.ts';
import { CelError } from './values.ts';
import { dynType } from './types.ts';
import { showValue } from './show.ts';

const environment = baseEnvironment('stored').extend({ x: dynType });
const x = adaptJson({ a: 1, b: [1, 2.5, 'c'], s: 'hello', n: null });

const limit = 1_000_000;

function programOf(expression: string): Program {
  const compiled = compile(expression, environment);
  assert.ok('program' in compiled, expression);
  return compiled.program;
}

/** What an expression gives: its value or its error, and what it costs. */
const show = (outcome: Evaluation): readonly [string, number] => [
  'error' in outcome ? `error: ${outcome.error}` : showValue(outcome.value),
  outcome.cost,
];

function run(expression: string, most = limit): readonly [string, number] {
  return show(evaluate(programOf(expression), { x }, { limit: most }));
}

function inParts(expression: string, activation: Activation, patience: number): Evaluation {
  const paced = new PacedEvaluation(programOf(expression), activation, { limit }, patience);
  for (;;) {
    const outcome = paced.run();
    if (outcome !== undefined) return outcome;
  }
}

// Values and costs as cel-go gives them with the options of Kubernetes.
const cases: readonly (readonly [expression: string, value: string, cost: number])[] = [
  ['1 + 2 * 3', '7', 2],
  ['x.a == 1', 'true', 3],
  ['x.b[1]', '2.5', 3],
  ['x.b[7]', 'error: index out of bounds: 7', 3],
  ['x.nope', 'error: no such key: nope', 2],
  ['has(x.a)', 'true', 1],
  ['has(x.nope)', 'false', 1],
  ['x.?nope.orValue(5)', '5', 1],
  ['x.?a.orValue(5)', '1', 2],
  ['x.n == null', 'true', 3],
  ['x.nope == 1 || true', 'true', 3],
  ['x.nope == 1 && false', 'false', 3],
  ['x.a > 0 ? x.s : x.nope', 'hello', 4],
  ['x.a in [1, 2, 3]', 'true', 2],
  ['[1, 2].map(i, i * 2)', '[2, 4]', 29],
  ['[1, 2, 3].all(i, i > 0)', 'true', 16],
  ['"abc".startsWith("a")', 'true', 1],
  ['"a".matches("^[a-z]$")', 'true', 2],
  ['9223372036854775807 + 1', 'error: integer overflow', 1],
  ['9007199254740993 - 1', '9007199254740992', 1],
  ['1 / 0', 'error: division by zero', 1],
  ['5 % -3', '2', 1],
  ['dyn(1) == 1.0', 'true', 1],
  ['dyn(1) + "a"', 'error: no such overload', 1],
  ['"héllo😀".size()', '6', 1],
  ['duration("90s") + duration("1h")', '1h1m30s', 1],
  ['timestamp("2024-02-29T12:00:00Z").getDayOfYear()', '59', 1],
  ['timestamp("2024-02-29T23:30:00Z").getHours("+02:00")', '1', 1],
  ['quantity("1.5Gi").isGreaterThan(quantity("1G"))', 'true', 3],
  ['cidr("10.0.0.0/8").containsIP("10.9.8.7")', 'true', 3],
];

test('expressions give the value and the cost that upstream gives', () => {
  for (const [expression, value, cost] of cases) assert.deepEqual(run(expression), [value, cost], expression);
});

test('evaluation ends when the budget is spent', () => {
  assert.deepEqual(run('lists.range(1000000000).all(i, i >= 0)', 100)[0], 'error: operation cancelled: actual cost limit exceeded');
});

test('what takes the square of its arguments is not begun beyond the budget', { timeout: 20_000 }, () => {
  const list = 'lists.range(400000)';
  for (const call of [`sets.contains(${list}, ${list})`, `sets.equivalent(${list}, ${list})`, `${list}.distinct() == []`])
    assert.deepEqual(run(call)[0], 'error: operation cancelled: actual cost limit exceeded', call);
});

test('an evaluation that takes long is suspended, and ends with the value and the cost that it has otherwise', () => {
  const big = 'x'.repeat(100_000);
  const long = [
    'lists.range(300).all(i, lists.range(300).all(j, i + j >= 0))',
    'lists.range(30000).map(i, string(i)).filter(t, t.size() > 3).size() == 29000',
    'lists.range(200).map(i, lists.range(200).map(j, i * j)).map(l, l.max()).max()',
    'lists.range(2000).all(i, x.lowerAscii().size() > 0)',
    'lists.range(30000).transformMap(i, v, v * 2).all(k, v, v == k * 2)',
    'lists.range(50000).map(i, 1 / (i - 49999))',
    'lists.range(100000).all(i, lists.range(100000).size() > i)',
  ];
  for (const expression of long) {
    const whole = evaluate(programOf(expression), { x: big }, { limit });
    assert.deepEqual(inParts(expression, { x: big }, 0.1), whole, expression);
  }
});

test('expressions give the same when each call is a part of its own', () => {
  for (const [expression, value, cost] of cases) assert.deepEqual(show(inParts(expression, { x }, 0)), [value, cost], expression);
});

test('a conversion of a constant that fails makes no program', () => {
  const compiled = compile("int('x') == 1", environment);
  assert.ok('failure' in compiled);
  assert.equal(compiled.failure, "type conversion error from 'string' to 'int'");
});

test('nothing on the prototype of a JSON object can be reached', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    assert.equal(run(`x['${name}']`)[0], `error: no such key: ${name}`);
});

test('trim() goes through blanks once', { timeout: 10_000 }, () => {
  const compiled = compile('x.trim()', environment);
  assert.ok('program' in compiled);
  const blanks = ' \u3000'.repeat(500_000);
  for (const [text, trimmed] of [
    [`a${blanks}b`, `a${blanks}b`],
    [`${blanks}a\u200b${blanks}`, 'a\u200b'],
    [blanks, ''],
  ] as const) {
    const outcome = evaluate(compiled.program, { x: text }, { limit: 1_000_000 });
    assert.ok(!('error' in outcome));
    assert.ok(outcome.value === trimmed);
  }
});

test('a pattern that would take long to compile is none', { timeout: 10_000 }, () => {
  assert.ok(compileRegex('(a|b)*'.repeat(500_000)) instanceof CelError);
  assert.ok(!(compileRegex('(a|b)*'.repeat(1000)) instanceof CelError));
});
