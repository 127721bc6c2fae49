/**
 * `npm run test:observe [-- --ours EXECUTABLE]`: the commands of docs/guides/observe.md and docs/guides/logs-traces-profiles.md as they stand
 * there, beside a development server; every query of the first one and of its dashboard in the Prometheus that it starts, the flags that it
 * names, the files that the commands of the second one write, and the spans that arrive. Needs prometheus, promtool, curl, Go and kubectl.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { runGuide } from '../servers/guide-commands.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { parseJsonLog } from './log-lines.ts';
import { OtlpReceiver } from './otlp-receiver.ts';

const { values } = parseArgs({ options: { ours: { type: 'string' } } });
findReference('kubectl');
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-observe-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const executable = values.ours ?? installOurs(join(root, 'package'));
const guides = join(import.meta.dirname, '../../docs/guides');

let passed = 0;
const failed: string[] = [];
const expect = (what: string, isSo: boolean): void => {
  if (isSo) passed++;
  else failed.push(what);
};

interface Panel {
  readonly targets?: readonly { readonly expr?: string }[];
  readonly panels?: readonly Panel[];
}

const queriesOf = ({ targets = [], panels = [] }: Panel): string[] => [
  ...targets.flatMap(({ expr }) => (expr === undefined ? [] : [expr])),
  ...panels.flatMap(queriesOf),
];

/** Of the table at the end of the guide, and of the dashboard. What is about things that have not happened has no data, and must be right all the same. */
function guideQueries(): string[] {
  const page = readFileSync(join(guides, 'observe.md'), 'utf8');
  const table = page.slice(page.indexOf('## What to watch'));
  const ofTable = [...table.matchAll(/^\| [^|`]+ \| `(.*)` \|$/gm)].map(([, query = '']) => query);
  const dashboard = JSON.parse(readFileSync(join(guides, 'kube-apiserver-dashboard.json'), 'utf8')) as Panel;
  const ofDashboard = queriesOf(dashboard).map((query) =>
    query
      .replaceAll('$job', 'kube-apiserver')
      .replaceAll('$__rate_interval', '1m')
      .replaceAll('$__interval', '1m')
      .replaceAll(/\$(\{\w+\}|\w+)/g, '.+'),
  );
  return [...ofTable, ...ofDashboard];
}

async function observe(): Promise<void> {
  const [port, prometheus] = [await freePort(), await freePort()];
  const ask = async (
    query: string,
  ): Promise<{ readonly status: string; readonly error?: string; readonly data?: { readonly result: unknown[] } }> => {
    const response = await fetch(`http://127.0.0.1:${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
    return (await response.json()) as { status: string };
  };
  const atEnd = async (): Promise<void> => {
    let scraped = 0;
    for (let attempt = 0; attempt < 400 && scraped < 2; attempt++) {
      await sleep(250);
      scraped = (await ask('up == 1').catch(() => undefined))?.data?.result.length ?? 0;
    }
    expect('Prometheus scrapes both jobs', scraped === 2);
    // Rates need several scrapes, and something that happens.
    await sleep(6000);
    const queries = guideQueries();
    const without: string[] = [];
    for (const query of queries) {
      const { status, error = '', data } = await ask(query);
      expect(`${query}: ${error}`, status === 'success');
      if ((data?.result.length ?? 0) === 0) without.push(query);
    }
    console.log(
      `${queries.length} queries of the guide and the dashboard; nothing has happened yet that these ask for:\n  ${without.join('\n  ')}`,
    );
  };
  const before = 'npx wheelhouse > server.out 2> server.log &\nuntil grep -q Ctrl-C server.out; do sleep 0.1; done';
  const places = new Map([
    ['127.0.0.1:6443', `127.0.0.1:${port}`],
    ['127.0.0.1:9090', `127.0.0.1:${prometheus}`],
    // So that there are two scrapes soon.
    ['scrape_configs:', 'global: { scrape_interval: 1s }\nscrape_configs:'],
  ]);
  const { blocks, said } = await runGuide({ page: 'observe.md', folder: join(root, 'observe'), executable, port, before, places, atEnd });
  expect('metrics were reset', said.includes('metrics reset'));
  console.log(`observe.md: ${blocks} blocks of commands`);
}

/** The flags of the table, each with what it says that it does. */
async function flags(): Promise<void> {
  await using server = await ApiServerProcess.start({
    executable,
    folder: join(root, 'flags'),
    storage: 'embedded',
    flags: [
      '--disabled-metrics=apiserver_response_sizes,apiserver_audit_level_total',
      '--allow-metric-labels=apiserver_request_total,resource=namespaces',
      '--show-hidden-metrics-for-version=1.36',
      '--etcd-count-metric-poll-period=0',
      '--etcd-db-metric-poll-interval=0',
    ],
  });
  await server.request('GET', '/api/v1/namespaces');
  await server.request('GET', '/api/v1/pods');
  const { body } = await server.request('GET', '/metrics');
  expect('--disabled-metrics leaves metrics out', !/apiserver_response_sizes|apiserver_audit_level_total/.test(body));
  expect('--allow-metric-labels keeps a value', /^apiserver_request_total\{.*resource="namespaces"/m.test(body));
  expect('--allow-metric-labels counts others as unexpected', /^apiserver_request_total\{.*resource="unexpected"/m.test(body));
  expect('--allow-metric-labels shows no other', !/^apiserver_request_total\{.*resource="pods"/m.test(body));
  expect('no sizes without polling', !/^apiserver_storage_size_bytes\{/m.test(body));
}

async function logsTracesProfiles(): Promise<void> {
  const port = await freePort();
  await using collector = await OtlpReceiver.start();
  const folder = join(root, 'logs');
  const places = new Map([
    ['localhost:4317', collector.endpoint],
    ['127.0.0.1:6443', `127.0.0.1:${port}`],
    ['seconds=10', 'seconds=2'],
  ]);
  const atEnd = async (): Promise<void> => {
    for (let attempt = 0; attempt < 60 && collector.spans.length === 0; attempt++) await sleep(250);
  };
  const page = 'logs-traces-profiles.md';
  const { blocks, said } = await runGuide({ page, folder, executable, port, places, atEnd });
  expect(
    'spans arrive',
    collector.spans.some(({ service }) => service === 'apiserver'),
  );
  const lines = parseJsonLog(readFileSync(join(folder, 'server.log'), 'utf8'));
  expect(
    'requests are in the log',
    lines.some(({ message, fields }) => message === 'HTTP' && fields.get('URI') === '/debug/pprof/heap'),
  );
  expect('the verbosity is changed, twice', said.split('successfully set klog.logging.verbosity to').length === 3);
  for (const name of ['cpu.pb.gz', 'heap.pb.gz']) expect(`${name} is there`, readFileSync(join(folder, name)).length > 100);
  expect('pprof opens both', said.split('Showing nodes accounting for').length === 3);
  expect('the debug socket shows what waits', said.includes('goroutine profile: total'));
  console.log(`${page}: ${blocks} blocks of commands`);
}

await observe();
await flags();
await logsTracesProfiles();
for (const one of failed) console.log(`✖ ${one}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
