/**
 * `npm run test:metrics`: the same requests to ours and to upstream, then the metrics of both: names, types, stability, labels and buckets of
 * all that is STABLE or BETA must be the same, and so must the counts of what the requests alone decide. Needs the programs of Kubernetes
 * v1.37.1 (see test/clients/README.md). With promtool and prometheus on the PATH, their judgement too. `-- --mixin FOLDER`: Prometheus also
 * evaluates every rule, alert and panel of kubernetes-mixin that is about the API server, as its own Makefile has written them there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { ShownMetric } from './exposition.ts';
import { readMetrics } from './exposition.ts';
import { askPrometheus, checkMetrics } from './prometheus.ts';
import { upstreamMetrics } from '../../tools/metrics/upstream-metrics.generated.ts';
import { playSession, prepareSession } from './session.ts';

/** What neither server does by itself here: leases of its own and endpoints would make counts a matter of time. */
const flags = ['--feature-gates=APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false', '--endpoint-reconciler-type=none'];

const { values } = parseArgs({ options: { mixin: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-metrics-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const etcd = owned.use(await EtcdProcess.start());
const start = async (name: string, executable: string, storage: { etcd: string } | 'embedded'): Promise<ApiServerProcess> =>
  owned.use(await ApiServerProcess.start({ executable, folder: join(root, name), storage, flags }));
const ours = await start('ours', installOurs(join(root, 'package')), 'embedded');
const upstream = await start('upstream', findReference('kube-apiserver'), { etcd: etcd.endpoint });

const scrape = async (server: ApiServerProcess): Promise<Map<string, ShownMetric>> => {
  const pages = await Promise.all(['/metrics', '/metrics/slis'].map((path) => server.request('GET', path)));
  return readMetrics(pages.map(({ body }) => body).join(''));
};

let passed = 0;
const failed: string[] = [];
const compare = (what: string, our: unknown, theirs: unknown): void => {
  if (our === theirs) passed++;
  else failed.push(`${what}: ours ${String(our)}, upstream ${String(theirs)}`);
};

interface Played {
  readonly codes: readonly number[];
  readonly before: Map<string, ShownMetric>;
  readonly after: Map<string, ShownMetric>;
}

async function play(server: ApiServerProcess): Promise<Played> {
  await prepareSession(server);
  const before = await scrape(server);
  const codes = await playSession(server);
  return { codes, before, after: await scrape(server) };
}

const [own, other] = [await play(ours), await play(upstream)];
compare('status codes of the session', own.codes.join(' '), other.codes.join(' '));

const isPromised = ({ stability }: ShownMetric): boolean => stability === 'STABLE' || stability === 'BETA';
const described = ({ type, stability, labels, buckets }: ShownMetric): string => `${type} ${stability} {${labels}} [${buckets}]`;
for (const metric of [...other.after.values()].filter(isPromised)) {
  const mine = own.after.get(metric.name);
  compare(metric.name, mine === undefined ? 'not there' : described(mine), described(metric));
}
const known = new Set(upstreamMetrics.map(([name]) => name));
for (const { name } of [...own.after.values()].filter(isPromised)) compare(`${name} is one of upstream's`, known.has(name), true);

/** Metrics whose series the session alone decides, where they are about what it touches. */
const touched = /resource=(pods|secrets|podtemplates|widgets|deployments|configmaps)\b/;
const valued: readonly (readonly [name: string, series: RegExp])[] = [
  ['apiserver_request_total', touched],
  ['apiserver_request_total', /subresource=(\/healthz|\/livez|openapi\/v3\/)/],
  ['apiserver_request_duration_seconds', touched],
  ['apiserver_request_sli_duration_seconds', touched],
  ['apiserver_response_sizes', touched],
  ['apiserver_admission_step_admission_duration_seconds', /./],
  ['apiserver_admission_controller_admission_duration_seconds', /./],
  ['apiserver_admission_webhook_admission_duration_seconds', /./],
  ['apiserver_admission_webhook_rejection_count', /./],
  ['apiserver_admission_webhook_fail_open_count', /./],
  ['apiserver_admission_webhook_request_total', /./],
  ['apiserver_validating_admission_policy_check_total', /./],
  ['apiserver_requested_deprecated_apis', /./],
  ['apiserver_watch_events_total', /resource=configmaps/],
  ['apiserver_watch_events_sizes', /resource=configmaps/],
  ['apiserver_watch_list_duration_seconds', /resource=configmaps/],
  ['apiserver_request_body_size_bytes', touched],
  ['serviceaccount_valid_tokens_total', /./],
  ['authentication_attempts', /result=(failure|error)/],
  ['kubernetes_feature_enabled', /./],
  ['authentication_token_cache_request_total', /./],
  ['authentication_token_cache_fetch_total', /./],
  ['rest_client_requests_total', /host=127\.0\.0\.1:1$/],
];

/** How much each series has grown, where it has. */
function growth({ before, after }: Played, name: string, wanted: RegExp): Map<string, number> {
  const old = before.get(name)?.series ?? new Map<string, number>();
  const isGauge = after.get(name)?.type === 'gauge';
  const grown = [...(after.get(name)?.series ?? [])]
    .filter(([labels]) => wanted.test(labels))
    .map(([labels, value]) => [labels, value - (isGauge ? 0 : (old.get(labels) ?? 0))] as const);
  return new Map(grown.filter(([, value]) => isGauge || value !== 0));
}

for (const [name, wanted] of valued) {
  const [our, theirs] = [growth(own, name, wanted), growth(other, name, wanted)];
  for (const labels of new Set([...our.keys(), ...theirs.keys()]))
    compare(`${name}{${labels}}`, our.get(labels) ?? 0, theirs.get(labels) ?? 0);
}

const tools = [...(await checkMetrics(ours, upstream)), ...(await askPrometheus(ours, root, values.mixin))];
for (const { what, problem } of tools) {
  if (problem === undefined) passed++;
  else failed.push(`${what}: ${problem}`);
}
const absent = [...other.after.values()].filter(({ name }) => !own.after.has(name) && !/^(go|grpc)_/.test(name));
console.log(`ALPHA metrics that upstream shows here and ours does not: ${absent.map(({ name }) => name).join(' ') || 'none'}`);
for (const one of failed) console.log(`✖ ${one}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
