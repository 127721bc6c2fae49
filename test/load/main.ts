/**
 * `npm run test:load -- SCENARIO [--only ours|reference] [--seconds N] [--rounds N] [--cpu-prof FOLDER]`: what becomes of some clients while
 * others ask too much, ours and upstream in turns, in one run on one machine. Scenarios, and what they show: README.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Contender } from './contenders.ts';
import { elephantAndMouse } from './elephant.ts';
import { overload } from './overload.ts';
import type { Scenario } from './scenario.ts';
import { fairShare } from './share.ts';
import { soak } from './soak.ts';

const scenarios: Readonly<Record<string, (root: string) => Scenario>> = {
  lists: () => elephantAndMouse('', 500),
  selectors: () => elephantAndMouse('?labelSelector=tier+in+(frontend,middle),app!%3Dbench,!value', 500),
  share: fairShare,
  overload,
  soak: (root) => soak(join(root, 'loop.jsonl')),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
});
const [chosen = ''] = positionals;
const make = scenarios[chosen];
if (make === undefined) throw new Error(`name one scenario: ${Object.keys(scenarios).join(', ')}`);
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-load-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const scenario = make(root);
const names = (scenario.names ?? ['ours', 'reference']).filter((name) => values.only === undefined || values.only === name);
if (names.length === 0) throw new Error(`--only is for ours or reference, and ${chosen} may be for ours alone`);
const profile = values['cpu-prof'];
const environment =
  profile === undefined ? (scenario.environment ?? {}) : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${resolve(profile)}` };
const contenders: Contender[] = [];
for (const name of names) {
  const contender = await Contender.start(name, root, owned, { flags: scenario.flags ?? [], environment });
  await scenario.prepare(contender);
  contenders.push(contender);
}

const options = {
  seconds: Number(values.seconds ?? scenario.defaults.seconds),
  rounds: Number(values.rounds ?? scenario.defaults.rounds),
};
for (let round = 0; round < options.rounds; round++) {
  // Who begins changes from round to round.
  for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) await scenario.turn(contender, options);
}
console.log(`${chosen}: ${options.rounds} rounds of ${options.seconds} s`);
for (const shown of scenario.report(names)) console.log(shown);
for (const { server } of contenders) await server.stop();
