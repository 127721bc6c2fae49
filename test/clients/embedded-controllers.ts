/**
 * `npm run test:embedded [-- --only PATTERN] [--settle SECONDS] [--show] [--keep]`: our server with its embedded controllers, and upstream
 * with upstream kube-controller-manager, are given the same work; what is there at the end of each step must be the same.
 * --show prints what that is.
 * Needs the programs of Kubernetes v1.37.1 (see README.md). Takes about six minutes: the collector of pods looks only every 20 s.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { controllerNames } from '../../src/controlplane/controller-names.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { Controllers } from '../servers/controllers.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { trackTokensSince } from './account-scenarios.ts';
import type { Scenario } from './controller-scenarios.ts';
import { defineCustomResources, scenarios } from './controller-scenarios.ts';
import { Estate } from './estate.ts';
import { normalise } from './normalise.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    settle: { type: 'string', default: '30' },
    show: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const chosen = scenarios.filter(({ name }) => new RegExp(values.only).test(name));
/** So that what the scenarios make before there are controllers has not been used for long. */
const cleanUpMs = 1000;
const cleanUp = `--legacy-service-account-token-clean-up-period=${cleanUpMs}ms`;
const signing = '--cluster-signing-duration=24h';
/** Upstream's collector asks every 30 s whether there are new resources. */
const discoveryMs = 35_000;
const steps = Math.max(...chosen.map((scenario) => scenario.steps.length));

interface Pauses {
  readonly discoveryMs: number;
  readonly settleMs: number;
}

/** What each scenario looked like after each step. */
type States = Map<string, string[]>;

/** What has to be there before the controllers are. */
async function prepare(server: ApiServerProcess): Promise<void> {
  await trackTokensSince(server, '2020-01-01');
  for (const { name, before } of chosen) await before?.(new Estate(server, name));
  // the cleaner looks once a day: whatever it is to find at its start must be older than the period, and times of creation have no fractions
  await sleep(cleanUpMs + 1000);
}

async function prepareOurs(): Promise<ApiServerProcess> {
  await using server = await ApiServerProcess.start({ executable: ourExecutable, folder: ourFolder, storage: 'embedded' });
  await prepare(server);
  await server.stop();
  return server;
}

/** All scenarios at once, each in its own namespace, so that one pause serves all. */
async function play(server: ApiServerProcess, pauses: Pauses): Promise<States> {
  await defineCustomResources(server);
  await sleep(pauses.discoveryMs);
  const estates = new Map(chosen.map((scenario) => [scenario, new Estate(server, scenario.name)]));
  for (const estate of estates.values()) await estate.found();
  const states: States = new Map();
  for (let step = 0; step < steps; step++) {
    const failures = new Map<Scenario, string>();
    await Promise.all(
      [...estates].map(async ([scenario, estate]) => {
        try {
          await scenario.steps[step]?.(estate);
        } catch (error) {
          failures.set(scenario, normalise(String(error)));
        }
      }),
    );
    await sleep(pauses.settleMs);
    for (const [scenario, estate] of estates) {
      if (scenario.steps[step] === undefined) continue;
      const failed = failures.get(scenario);
      states.set(`${scenario.name} after step ${step + 1}`, [...(failed === undefined ? [] : [failed]), ...(await estate.describe())]);
    }
  }
  return states;
}

function differences(ours: States, reference: States): number {
  let count = 0;
  for (const [title, expected] of reference) {
    const actual = ours.get(title) ?? [];
    const missing = expected.filter((line) => !actual.includes(line));
    const extra = actual.filter((line) => !expected.includes(line));
    if (missing.length + extra.length === 0) continue;
    count++;
    process.stdout.write(`\n${title}\n`);
    for (const line of missing) process.stdout.write(`  upstream  ${line}\n`);
    for (const line of extra) process.stdout.write(`  ours      ${line}\n`);
  }
  return count;
}

/** From the request to delete a namespace with 200 objects until it is gone. */
async function timeDeletion(server: ApiServerProcess): Promise<number> {
  const scenario = scenarios.find(({ name }) => name === 'namespace-mixed') as Scenario;
  const estate = new Estate(server, 'timed');
  await estate.found();
  await scenario.steps[0]?.(estate);
  const started = performance.now();
  await estate.deleteNamespace();
  while ((await server.request('GET', '/api/v1/namespaces/timed')).status !== 404) await sleep(5);
  return performance.now() - started;
}

/** The same of a namespace with what is protected, counted and selected: claims, a quota, budgets, services. */
async function timeProtected(server: ApiServerProcess): Promise<number> {
  const estate = new Estate(server, 'protected');
  await estate.found();
  await estate.create('resourcequotas', 'quota', { spec: { hard: { pods: '100', services: '100', persistentvolumeclaims: '100' } } });
  for (let attempt = 0; attempt < 200 && !(await estate.creates('persistentvolumeclaims', 'first')); attempt++) await sleep(50);
  for (let index = 0; index < 10; index++) {
    const name = `object-${index}`;
    await estate.create('persistentvolumeclaims', name);
    await estate.create('services', name, { spec: { clusterIP: undefined, selector: { app: name } } });
    await estate.create('poddisruptionbudgets', name, { spec: { minAvailable: 1, selector: { matchLabels: { app: name } } } });
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }];
    await estate.create('pods', name, { labels: { app: name }, spec: { volumes } });
  }
  await sleep(3000);
  const started = performance.now();
  await estate.deleteNamespace();
  while ((await server.request('GET', '/api/v1/namespaces/protected')).status !== 404) await sleep(5);
  return performance.now() - started;
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-embedded-'));
await using owned = new AsyncDisposableStack();
if (!values.keep) owned.defer(() => rmSync(root, { recursive: true, force: true }));
else process.stdout.write(`logs are in ${root}\n`);

const ourExecutable = installOurs(join(root, 'package'));
const ourFolder = join(root, 'ours');
const { files } = await prepareOurs();
const ours = owned.use(
  await ApiServerProcess.start({
    executable: ourExecutable,
    folder: ourFolder,
    storage: 'embedded',
    files,
    flags: [
      '--embedded-controllers=true',
      cleanUp,
      signing,
      `--cluster-signing-cert-file=${files.authority}`,
      `--cluster-signing-key-file=${files.authorityKey}`,
    ],
  }),
);
const etcd = owned.use(await EtcdProcess.start());
const folder = join(root, 'reference');
const executable = findReference('kube-apiserver');
const reference = owned.use(await ApiServerProcess.start({ executable, folder, storage: { etcd: etcd.endpoint } }));
await prepare(reference);
mkdirSync(join(folder, 'controllers'), { recursive: true });
owned.use(await Controllers.startManager(reference, join(folder, 'controllers'), controllerNames, [cleanUp, signing]));
const settleMs = Number(values.settle) * 1000;
const [ourStates, referenceStates] = await Promise.all([
  play(ours, { discoveryMs: 1000, settleMs: 25_000 }),
  play(reference, { discoveryMs, settleMs }),
]);
const oursMs = await timeDeletion(ours);
const oursProtectedMs = await timeProtected(ours);
const referenceMs = await timeDeletion(reference);
const referenceProtectedMs = await timeProtected(reference);

if (values.show) for (const [title, lines] of referenceStates) process.stdout.write(`\n${title}\n  ${lines.join('\n  ')}\n`);
const different = differences(ourStates, referenceStates);
process.stdout.write(`\n${chosen.length} scenarios, ${referenceStates.size} states, ${different} different\n`);
process.stdout.write(
  `a namespace of 200 objects is gone after ${oursMs.toFixed(0)} ms, with upstream after ${referenceMs.toFixed(0)} ms\n`,
);
process.stdout.write(
  `a namespace with claims, a quota, budgets and services is gone after ${oursProtectedMs.toFixed(0)} ms, with upstream after ${referenceProtectedMs.toFixed(0)} ms\n`,
);
process.exitCode = different === 0 && oursProtectedMs < 2000 ? 0 : 1;
