// Looks for crashes and hangs: node test/cel/fuzz.ts [COUNT] [SEED]

import { compile, evaluate } from '../../src/cel/index.ts';
import { adaptJson } from '../../src/cel/json-values.ts';
import { baseEnvironment } from '../../src/cel/kubernetes/environments.ts';
import { dynType } from '../../src/cel/types.ts';
import { corpus, mutate, random } from './corpus.ts';
import { ruleGroups } from './rule-cases.ts';

const count = Number(process.argv[2] ?? 100_000);
const next = random(Number(process.argv[3] ?? Date.now()));
const environment = baseEnvironment('stored').extend({ self: dynType, oldSelf: dynType, x: dynType });
const activation = { self: adaptJson(ruleGroups[0]!.value), oldSelf: null, x: adaptJson([1, 'a', { b: 2.5 }]) };
const seeds = [...corpus(0), ...ruleGroups.flatMap(({ rules }) => rules)].filter((expression) => expression.length < 200);
const outcomes = { refused: 0, error: 0, value: 0 };
let slowest = { expression: '', milliseconds: 0 };
const anything = (): string =>
  Array.from({ length: Math.floor(next() * 40) }, () => String.fromCodePoint(32 + Math.floor(next() * 95))).join('');
for (let i = 0; i < count; i++) {
  const expression = next() < 0.05 ? anything() : mutate(seeds[Math.floor(next() * seeds.length)]!, next);
  const start = performance.now();
  try {
    const compiled = compile(expression, environment);
    if (!('program' in compiled)) outcomes.refused++;
    else if ('error' in evaluate(compiled.program, activation, { limit: 1_000_000 })) outcomes.error++;
    else outcomes.value++;
  } catch (cause) {
    console.error(`crash on ${JSON.stringify(expression)}`);
    throw cause;
  }
  const milliseconds = performance.now() - start;
  if (i % 50_000 === 49_999) console.error(`${i + 1} of ${count}, slowest ${slowest.milliseconds.toFixed(0)} ms`);
  if (milliseconds > slowest.milliseconds) slowest = { expression, milliseconds };
}
console.log(outcomes, slowest, `${Math.round(process.memoryUsage().heapUsed / 1e6)} MB`);
