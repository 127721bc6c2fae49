/**
 * What dashboards and alerts for kube-apiserver ask, in the manner of kubernetes-mixin: the same metrics, labels and operations, over a window
 * that a test can wait for. Of alerts the part before the comparison: an alert that has data can fire.
 */
const window = '30s';
const job = 'job="kube-apiserver"';
const verbs = { read: 'verb=~"LIST|GET"', write: 'verb=~"POST|PUT|PATCH|DELETE"' } as const;
const notStreaming = 'subresource!~"proxy|attach|log|exec|portforward"';
const slow = { resource: '1(\\\\.0)?', namespace: '5(\\\\.0)?', cluster: '30(\\\\.0)?' } as const;
const sli = 'apiserver_request_sli_duration_seconds';

interface Rule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const perVerb = Object.entries(verbs).flatMap(([verb, selector]): Rule[] => [
  {
    record: 'code_resource:apiserver_request_total:rate',
    expr: `sum by (cluster, code, resource) (rate(apiserver_request_total{${job},${selector}}[${window}]))`,
    labels: { verb },
  },
  {
    record: 'cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile',
    expr: `histogram_quantile(0.99, sum by (cluster, le, resource) (rate(${sli}_bucket{${job},${selector},${notStreaming}}[${window}]))) > 0`,
    labels: { verb, quantile: '0.99' },
  },
  {
    record: 'code_verb:apiserver_request_total:increase',
    expr: `sum by (cluster, code, verb) (increase(apiserver_request_total{${job},${selector}}[${window}]))`,
  },
]);

export const recordingRules: readonly Rule[] = [
  ...perVerb,
  {
    record: 'cluster_verb_scope_le:apiserver_request_sli_duration_seconds_bucket:increase',
    expr: `sum by (cluster, verb, scope, le) (increase(${sli}_bucket[${window}]))`,
  },
];

const buckets = 'cluster_verb_scope_le:apiserver_request_sli_duration_seconds_bucket:increase';
const scoped = (verb: keyof typeof verbs, scope: string, bound: string): string =>
  `sum by (cluster) (${buckets}{${verbs[verb]},scope=~"${scope}",le=~"${bound}"} or vector(0))`;
const readInTime = [
  scoped('read', 'resource|', slow.resource),
  scoped('read', 'namespace', slow.namespace),
  scoped('read', 'cluster', slow.cluster),
].join(' + ');
const rateOf = (verb: keyof typeof verbs, more = ''): string =>
  `sum by (cluster) (rate(apiserver_request_total{${job},${verbs[verb]}${more}}[${window}]))`;

export const queries: readonly (readonly [what: string, query: string])[] = [
  [
    'availability of reads',
    `1 - (sum by (cluster) (${buckets}{${verbs.read},le="+Inf"}) - (${readInTime})) / sum by (cluster) (code_verb:apiserver_request_total:increase{${verbs.read}})`,
  ],
  [
    'availability of writes',
    `1 - (sum by (cluster) (${buckets}{${verbs.write},le="+Inf"}) - ${scoped('write', '.*', slow.resource)}) / sum by (cluster) (code_verb:apiserver_request_total:increase{${verbs.write}})`,
  ],
  ...Object.keys(verbs).flatMap((verb): [string, string][] => [
    [`${verb} requests by code`, `sum by (code) (code_resource:apiserver_request_total:rate{verb="${verb}", cluster="judge"})`],
    [
      `${verb} errors by resource`,
      `(sum by (resource) (code_resource:apiserver_request_total:rate{verb="${verb}",code=~"5..", cluster="judge"}) or vector(0)) / ignoring (resource) group_left sum (code_resource:apiserver_request_total:rate{verb="${verb}", cluster="judge"})`,
    ],
    [
      `duration of ${verb} requests`,
      `cluster_quantile:apiserver_request_sli_duration_seconds:histogram_quantile{verb="${verb}", cluster="judge"}`,
    ],
  ]),
  ['work queue adds', `sum(rate(workqueue_adds_total{${job}, instance=~".+"}[${window}])) by (instance, name)`],
  ['work queue depth', `sum(rate(workqueue_depth{${job}}[${window}])) by (instance, name)`],
  [
    'work queue latency',
    `histogram_quantile(0.99, sum(rate(workqueue_queue_duration_seconds_bucket{${job}}[${window}])) by (instance, name, le))`,
  ],
  ['memory', `process_resident_memory_bytes{${job},instance=~".+", cluster="judge"}`],
  ['CPU', `rate(process_cpu_seconds_total{${job}}[${window}])`],
  ['goroutines', `go_goroutines{${job}}`],
  ['up', `up{${job}} == 1`],
  [
    'error budget of reads',
    `((sum by (cluster) (rate(${sli}_count{${job},${verbs.read},${notStreaming}}[${window}])) - ((sum by (cluster) (rate(${sli}_bucket{${job},${verbs.read},${notStreaming},scope=~"resource|",le=~"${slow.resource}"}[${window}])) or vector(0)) + sum by (cluster) (rate(${sli}_bucket{${job},${verbs.read},${notStreaming},scope="namespace",le=~"${slow.namespace}"}[${window}])))) + (${rateOf('read', ',code=~"5.."')} or 0 * ${rateOf('read')})) / ${rateOf('read')}`,
  ],
  [
    'error budget of writes',
    `((sum by (cluster) (rate(${sli}_count{${job},${verbs.write},${notStreaming}}[${window}])) - sum by (cluster) (rate(${sli}_bucket{${job},${verbs.write},${notStreaming},le=~"${slow.resource}"}[${window}]))) + (${rateOf('write', ',code=~"5.."')} or 0 * ${rateOf('write')})) / ${rateOf('write')}`,
  ],
  [
    'client certificates',
    `histogram_quantile(0.01, sum without (namespace, service, endpoint) (rate(apiserver_client_certificate_expiration_seconds_bucket{${job}}[${window}]))) and on (job, cluster, instance) apiserver_client_certificate_expiration_seconds_count{${job}} > 0`,
  ],
  [
    'aggregated APIs',
    `(1 - max by (name, namespace, cluster) (avg_over_time(aggregator_unavailable_apiservice{${job}}[${window}]))) * 100`,
  ],
  [
    'errors of aggregated APIs',
    `sum by (cluster, instance, name, reason) (increase(aggregator_unavailable_apiservice_total{${job}}[${window}]))`,
  ],
  [
    'terminated requests',
    `sum by (cluster) (rate(apiserver_request_terminations_total{${job}}[${window}])) / (sum by (cluster) (rate(apiserver_request_total{${job}}[${window}])) + sum by (cluster) (rate(apiserver_request_terminations_total{${job}}[${window}])))`,
  ],
];

/** Of a Prometheus that takes histograms in their native form. */
export const nativeQueries: typeof queries = [
  ['native histograms', `histogram_count(rate(apiserver_request_duration_seconds{${job},resource="configmaps"}[${window}]))`],
  ['quantiles of native histograms', `histogram_quantile(0.9, sum (rate(apiserver_request_sli_duration_seconds{${job}}[${window}])))`],
  ['scrapes of the native form', `up{${job}} == 1`],
];
