import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../etcd/etcd-process.ts';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import { WebhookServer } from '../clients/webhook-server.ts';
import { readMixin } from './mixin.ts';
import { nativeQueries, queries, recordingRules } from './queries.ts';

export interface Judgement {
  readonly what: string;
  /** undefined: all is well */
  readonly problem: string | undefined;
}

/** What promtool finds wrong with a scrape of ours, and not of upstream's: names that upstream has chosen are not ours to mend. */
export async function checkMetrics(ours: ApiServerProcess, upstream: ApiServerProcess): Promise<Judgement[]> {
  if (!isThere('promtool')) return [{ what: 'promtool', problem: 'promtool is not on the PATH (Debian: apt-get install prometheus)' }];
  const [found, known] = await Promise.all([ours, upstream].map(async (server) => lint((await server.request('GET', '/metrics')).body)));
  const own = (found ?? []).filter((line) => known?.includes(line) !== true);
  return [
    {
      what: `promtool check metrics (${(found ?? []).length - own.length} remarks that it has on upstream's, too)`,
      problem: own.length === 0 ? undefined : own.join('; '),
    },
  ];
}

function lint(text: string): string[] {
  try {
    execFileSync('promtool', ['check', 'metrics'], { input: text, stdio: ['pipe', 'pipe', 'pipe'] });
    return [];
  } catch (error) {
    const { stderr, stdout } = error as { stderr: Buffer; stdout: Buffer };
    return `${stdout.toString()}${stderr.toString()}`.split('\n').filter((line) => line !== '');
  }
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const scrapeSeconds = 1;

/** A real Prometheus scrapes the server for a while; then every query must have a result. `mixin`: a folder with kubernetes-mixin's own. */
export async function askPrometheus(server: ApiServerProcess, folder: string, mixin: string | undefined): Promise<Judgement[]> {
  await using broken = new WebhookServer(new Map([['/convert', () => ({ raw: 'broken', status: 500 })]]));
  await broken.listen();
  await defineUnreadable(server, broken);
  const asked = [
    askOne(server, join(folder, 'prometheus'), [], queries, recordingRules),
    // With this it keeps the native form of a histogram, and not the classic one.
    askOne(server, join(folder, 'prometheus-native'), ['--enable-feature=native-histograms'], nativeQueries, recordingRules),
  ];
  if (mixin !== undefined) {
    const { queries: own, recordingRules: rules } = readMixin(mixin);
    asked.push(askOne(server, join(folder, 'prometheus-mixin'), [], own, rules));
  }
  return (await Promise.all(asked)).flat();
}

async function askOne(
  server: ApiServerProcess,
  home: string,
  features: readonly string[],
  asked: typeof queries,
  rules: readonly object[],
): Promise<Judgement[]> {
  if (!isThere('prometheus'))
    return [{ what: 'prometheus', problem: 'prometheus is not on the PATH (Debian: apt-get install prometheus)' }];
  mkdirSync(home, { recursive: true });
  const { ca, cert, key } = server.credentials;
  for (const [name, bytes] of Object.entries({ 'ca.crt': ca, 'client.crt': cert, 'client.key': key }))
    writeFileSync(join(home, name), bytes);
  writeFileSync(join(home, 'rules.yml'), JSON.stringify({ groups: [{ name: 'judge', interval: '1s', rules }] }));
  writeFileSync(join(home, 'prometheus.yml'), JSON.stringify(configuration(server, home)));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(home, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(home, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
      ...features,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'spawn');
  try {
    await provoke(server);
    for (let second = 0; second < 40; second++) {
      if (second === 20) await provoke(server);
      // Something has to happen for rates to have a value.
      await server.request('GET', '/api/v1/namespaces/judge/configmaps');
      await server.request('POST', '/api/v1/namespaces/judge/configmaps?dryRun=All', { metadata: { name: `p${second}` } });
      await server.request('PUT', '/api/v1/namespaces/judge/configmaps/a', { metadata: { name: 'a' }, data: { at: String(second) } });
      await server.request('GET', '/api/v1/configmaps');
      for (const [method, body] of [['GET'], ['POST', unreadable('v2', 'other')]] as const)
        await server.request(method, `/apis/unreadable.example.com/v2/namespaces/judge/things${method === 'GET' ? '/a' : ''}`, body);
      await sleep(1000);
    }
    const judgements: Judgement[] = [];
    for (const [what, query] of asked) judgements.push(await ask(port, what, query));
    return judgements;
  } finally {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}

const unreadable = (version: string, name: string): object => ({
  apiVersion: `unreadable.example.com/${version}`,
  kind: 'Thing',
  metadata: { name, namespace: 'judge' },
});

/** A custom resource whose conversion fails: reads and writes that end with a 500. */
async function defineUnreadable(server: ApiServerProcess, broken: WebhookServer): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const clientConfig = { url: `https://127.0.0.1:${broken.port}/convert`, caBundle: broken.caBundle };
  await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'things.unreadable.example.com' },
    spec: {
      group: 'unreadable.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v2', served: true, storage: false, schema },
      ],
    },
  });
  const things = '/apis/unreadable.example.com/v1/namespaces/judge/things';
  for (let attempt = 0; (await server.request('GET', things)).status !== 200 && attempt < 50; attempt++) await sleep(100);
  await server.post(things, unreadable('v1', 'a'));
}

/** What alerts are about: an APIService without a server, and requests that cannot be passed on to it. */
async function provoke(server: ApiServerProcess): Promise<void> {
  const name = `v${Date.now()}.nobody.example.com`;
  const spec = {
    group: 'nobody.example.com',
    version: name.split('.')[0],
    groupPriorityMinimum: 1000,
    versionPriority: 10,
    service: { namespace: 'judge', name: 'none' },
  };
  await server.request('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name },
    spec: { ...spec, insecureSkipTLSVerify: true },
  });
  for (let attempt = 0; attempt < 3; attempt++) await server.request('GET', `/apis/nobody.example.com/${spec.version ?? ''}/things`);
}

function configuration(server: ApiServerProcess, home: string): object {
  return {
    global: { scrape_interval: `${scrapeSeconds}s`, evaluation_interval: '1s' },
    rule_files: [join(home, 'rules.yml')],
    scrape_configs: [
      {
        job_name: 'kube-apiserver',
        scheme: 'https',
        tls_config: { ca_file: join(home, 'ca.crt'), cert_file: join(home, 'client.crt'), key_file: join(home, 'client.key') },
        static_configs: [{ targets: [`127.0.0.1:${server.port}`], labels: { cluster: 'judge' } }],
      },
    ],
  };
}

async function ask(port: number, what: string, query: string): Promise<Judgement> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { status, error, data } = (await response.json()) as { status: string; error?: string; data?: { result: unknown[] } };
  if (status !== 'success') return { what, problem: error ?? status };
  return { what, problem: (data?.result.length ?? 0) > 0 ? undefined : `no data for ${query}` };
}
