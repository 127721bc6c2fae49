/**
 * `npm run test:clients [-- --only PATTERN] [-- --show LINES]`: real clients against ours and against upstream.
 * kubectl v1.37 plays the same script on both; what it prints must be the same, times and such aside. Then a client-go program,
 * over protobuf, checks what informers see (go/). Needs the programs of Kubernetes v1.37.1 (see README.md), and Go.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { buildGoClient, runGoClient } from './go-client.ts';
import { Player } from './player.ts';
import type { Outcome } from './player.ts';
import { projects } from './projects.ts';
import { access } from './scenarios/access.ts';
import { applies } from './scenarios/apply.ts';
import { customResources } from './scenarios/custom-resources.ts';
import { discover } from './scenarios/discover.ts';
import { lives } from './scenarios/life.ts';
import { many } from './scenarios/many.ts';
import { rollout } from './scenarios/rollout.ts';
import type { Scenario } from './step.ts';
import { step } from './step.ts';
import { textDiff } from './text-diff.ts';

const fromModules = await Promise.all(projects.map(customResources));
const scenarios: readonly Scenario[] = [discover, ...lives, ...applies, many, rollout, access, ...fromModules];
/** Pods of upstream are refused without it, and no controller runs here that would make it. */
const before = [step('create namespace play'), step('create serviceaccount default -n play')];

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, show: { type: 'string', default: '12' }, skip: { type: 'string', default: '^$' } },
});

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-clients-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const kubectl = findReference('kubectl');
const etcd = owned.use(await EtcdProcess.start());
const launches = {
  ours: { executable: installOurs(join(root, 'package')), storage: 'embedded' },
  reference: { executable: findReference('kube-apiserver'), storage: { etcd: etcd.endpoint } },
} as const;

const start = (name: keyof typeof launches): Promise<ApiServerProcess> =>
  ApiServerProcess.start({ ...launches[name], folder: join(root, name) });
const servers = { ours: owned.use(await start('ours')), reference: owned.use(await start('reference')) };
const player = (name: keyof typeof launches): Player =>
  new Player(kubectl, servers[name].files.kubeconfig, join(root, `${name}-home`), join(import.meta.dirname, 'manifests'));
const [ours, reference] = [player('ours'), player('reference')];
for (const first of before) await Promise.all([ours.play(first), reference.play(first)]);

/** Of a difference; JSONPath prints whole lists in one. */
const longestLine = 500;
const render = ({ code, out, err }: Outcome): string => `exit ${code}\n${out}${err === '' ? '' : `stderr: ${err}`}`;
let [played, different] = [0, 0];
for (const scenario of scenarios) {
  if (!new RegExp(values.only).test(scenario.name) || new RegExp(values.skip).test(scenario.name)) continue;
  let differentHere = 0;
  for (const one of scenario.steps) {
    const [expected, actual] = (await Promise.all([reference.play(one), ours.play(one)])).map(render) as [string, string];
    played++;
    if (expected === actual) continue;
    differentHere++;
    const lines = textDiff(expected, actual)
      .split('\n')
      .map((line) => line.slice(0, longestLine));
    console.log(`✖ ${scenario.name}: kubectl ${one.args.join(' ')}`);
    console.log(lines.slice(0, Number(values.show)).join('\n'));
    if (lines.length > Number(values.show)) console.log(`  ... ${lines.length - Number(values.show)} lines more`);
  }
  different += differentHere;
  console.log(
    `${differentHere === 0 ? '✔' : '✖'} ${scenario.name}: ${scenario.steps.length - differentHere} of ${scenario.steps.length} the same`,
  );
}
console.log(`\nkubectl: ${played - different} of ${played} commands print the same`);

let failures = different;
if (!new RegExp(values.skip).test('client-go')) {
  const program = await buildGoClient(root);
  for (const [name, server] of Object.entries(servers)) failures += await runGoClient(program, name, server);
}
process.exitCode = failures > 0 ? 1 : 0;
