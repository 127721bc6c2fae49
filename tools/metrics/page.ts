import type { Family } from '../../src/base/metrics.ts';
import { MetricsRegistry } from '../../src/base/metrics.ts';
import { surviveStrayErrors } from '../../src/cli/stray-errors.ts';
import { assemble } from '../../src/controlplane/assemble.ts';
import { completeConfig } from '../../src/controlplane/config.ts';
import { registerEverything } from '../../src/controlplane/metrics-of-parts.ts';
import { silentLogger } from '../../src/base/log.ts';
import { HealthMetrics } from '../../src/server/routes/health-metrics.ts';
import { absenceOf } from './absences.ts';
import { upstreamMetrics } from './upstream-metrics.generated.ts';
import { EventEmitter } from 'node:events';

/** Every metric that a server has, whatever it is configured to do. */
export async function definedMetrics(): Promise<readonly Family[]> {
  await using server = await assemble(completeConfig({ storage: { backend: 'memory' } }));
  registerEverything(server.metrics);
  using _ = surviveStrayErrors(new EventEmitter(), silentLogger, server.metrics);
  const health = new MetricsRegistry();
  new HealthMetrics(health).observer('livez');
  return [...server.metrics.definitions, ...health.definitions].toSorted((a, b) => (a.options.name < b.options.name ? -1 : 1));
}

const intro = `# Metrics

Written by \`npm run metrics\` from the definitions that the server registers; a test says that it is current. [The guide](../guides/observe.md) says how to
scrape and show them.

\`/metrics\` speaks Prometheus' text format and, for clients that prefer it, protobuf with native histograms beside the classic ones (feature gate
\`NativeHistograms\`). OpenMetrics is not offered, as upstream does not offer it. \`/metrics/slis\` has \`kubernetes_healthcheck\` and
\`kubernetes_healthchecks_total\`. \`--disabled-metrics\`, \`--show-hidden-metrics-for-version\`, \`--allow-metric-labels\` and \`--allow-metric-labels-manifest\`
work as upstream's. Label values come from what is served and configured, never from what a client makes up.

Against upstream: *same* has the same name, type, labels and stability. What a metric counts is compared by \`npm run test:metrics\`.
`;

const differences = `## Where the same name means something a little different

| metric | difference |
|---|---|
| \`etcd_requests_total\`, \`etcd_request_duration_seconds\`, \`etcd_request_errors_total\` | requests to whatever store there is, the embedded one included; the question for the newest revision is not counted |
| \`apiserver_storage_size_bytes\` | \`storage_cluster_id\` is \`etcd-N\` for etcd and \`embedded-0\` for the embedded store |
| \`apiserver_current_inflight_requests\`, \`apiserver_current_inqueue_requests\` | the most at once since metrics were last read; upstream: in the last second |
| \`apiserver_cel_compilation_duration_seconds\`, \`apiserver_cel_evaluation_duration_seconds\` | once for all rules of a schema or object; upstream: for each node of a schema |
| \`apiserver_admission_controller_admission_duration_seconds\` | a plugin that has nothing to do with the resource counts with 0 seconds |
| \`apiserver_storage_events_received_total\`, \`apiserver_watch_cache_*\` | a watch cache begins with the first request for its resource |
| \`apiserver_request_post_timeout_total\` | work is followed to its end, so that it is never \`pending\`; what would be a \`panic\` is an \`error\` |
| \`apiserver_storage_transformation_operations_total\` | \`resource\` is that of the value; upstream: that of the request |
| \`apiserver_kube_aggregator_x509_*\` | stay 0: calls of aggregated servers with such certificates fail, and only those of webhooks are counted |
| \`apiserver_init_events_total\` | events that were sent; upstream: also those of the same resource that the watch did not ask for |
| \`apiserver_watch_events_dispatch_duration_seconds\` | only the stage \`total\`, from the arrival of a change in the watch cache on, and looked at once for all watches that get it: store, cache and watches hand it over in one turn of the event loop. What an event waits for its round, 3 ms at most where it goes to hundreds, comes after it |
| \`rest_client_*\` | requests to webhooks of every kind, and of embedded controllers to this server, which go without a socket: their \`host\` is \`in-process\`, and sizes of lists are not counted |
| \`apiserver_storage_data_key_generation_failures_total\` | stays 0 unless the system has no random bytes |
| \`registered_metrics_total\`, \`hidden_metrics_total\` | count this server's own metrics |
| \`kubernetes_build_info\` | \`go_version\` has the version of Node, \`compiler\` is \`v8\`, what is about a Git tree is empty |
| \`go_goroutines\`, \`go_memstats_*\` | what Node has in their place: things that wait, and V8's heap; of other \`go_*\` there is no honest counterpart |
`;

export async function metricsPage(): Promise<string> {
  const families = await definedMetrics();
  const known = new Map(upstreamMetrics.map((row) => [row[0], row]));
  const own = families.filter(({ options }) => options.name.startsWith('wheelhouse_'));
  const process = families.filter(({ options }) => options.stability === 'none');
  const shared = families.filter((family) => !own.includes(family) && !process.includes(family));
  const names = new Set(families.map(({ options }) => options.name));
  const absent = upstreamMetrics.filter(([name]) => !names.has(name));
  return [
    intro,
    differences,
    `## Of upstream\n\n${table(shared, (family) => stateOf(family, known.get(family.options.name)))}`,
    `## Of the process and its runtime\n\n${table(process, () => "as Prometheus' clients name them")}`,
    `## Only here\n\n${table(own, () => '')}`,
    `## Not here\n\n| metric | type | stability | why |\n|---|---|---|---|\n${absent
      .map(([name, type, stability]) => `| \`${name}\` | ${type} | ${stability} | ${absenceOf(name)} |`)
      .join('\n')}\n`,
  ].join('\n');
}

function table(families: readonly Family[], state: (family: Family) => string): string {
  const rows = families.map((family) => {
    const { name, help, labels = [], stability = 'ALPHA', deprecated } = family.options;
    const since = deprecated === undefined ? '' : ` (deprecated since ${deprecated})`;
    return `| \`${name}\` | ${family.type} | ${stability === 'none' ? '' : stability}${since} | ${labels.map((label) => `\`${label}\``).join(' ')} | ${help} | ${state(family)} |`;
  });
  return `| metric | type | stability | labels | what it says | against upstream |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

export function stateOf({ type, options }: Family, upstream: (typeof upstreamMetrics)[number] | undefined): string {
  if (upstream === undefined) return 'not found in upstream';
  const [, theirType, theirStability, theirLabels] = upstream;
  const differs = [
    ...(type === theirType ? [] : [`type ${theirType}`]),
    ...((options.stability ?? 'ALPHA') === theirStability ? [] : [theirStability]),
    ...([...(options.labels ?? [])].toSorted().join() === [...theirLabels].toSorted().join() ? [] : [`labels ${theirLabels.join(' ')}`]),
  ];
  return differs.length === 0 ? 'same' : `differs: upstream has ${differs.join(', ')}`;
}
