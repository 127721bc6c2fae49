/** Why metrics of upstream are not here, by what their names begin with; the first that fits. */
const absences: readonly (readonly [prefix: string, why: string])[] = [
  ['apiserver_admission_step_admission_duration_seconds_summary', 'the histogram of the same says more, and adds up over servers'],
  ['apiserver_delegated_auth', 'of servers that ask another who a client is; this one decides itself'],
  ['apiserver_clusterip_repair', 'of the way to allocate addresses before ServiceCIDR, which v1.37 cannot go back to'],
  [
    'apiserver_request_timestamp_comparison_time',
    'a written object is compared with the stored one once: there are no fast and slow ways to tell apart',
  ],
  ['apiserver_storage_consistency_checks_total', 'there is no comparison of watch caches with etcd'],
  [
    'apiextensions_apiserver_validation_ratcheting_seconds',
    'old and new values are compared only where a new one fails; the time is part of the evaluation of its rule',
  ],
  ['node_authorizer_graph_actions_duration_seconds', 'there is no graph: what a node may read follows from the index of its pods'],
  ['apiserver_flowcontrol', 'a detail of how upstream dispatches'],
  ['apiserver_validation_declarative', 'there is one validation, which cannot differ from another'],
  ['watch_cache_capacity_', 'the history of a watch cache grows and shrinks by other rules'],
  ['informer_', "client-go's; parts of this server read its own caches"],
  ['leader_election_slowpath', 'a Lease is read and written in one way'],
  ['rest_client_exec', "client-go's plugins for credentials"],
  ['rest_client_rate_limiter', 'nothing limits the requests of this server to others'],
  ['rest_client_dns', 'names are looked up by the system, which does not say how long that takes'],
  ['rest_client_transport', "client-go's cache of connections"],
  ['running_managed_controllers', "kube-controller-manager's"],
  ['apiextensions_openapi', 'documents are made when they are asked for'],
  ['aggregator_openapi', 'documents are made when they are asked for'],
];

export function absenceOf(name: string): string {
  return absences.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'not measured';
}
