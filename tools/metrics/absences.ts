/** Why metrics of upstream are not here, by what their names begin with; the first that fits. */
const absences: readonly (readonly [prefix: string, why: string])[] = [
  ['apiserver_admission_step_admission_duration_seconds_summary', 'the histogram of the same says more, and adds up over servers'],
  ['apiserver_delegated_auth', 'of servers that ask another who a client is; this one decides itself'],
  ['apiserver_manifest', 'not measured'],
  ['apiserver_flowcontrol', 'a detail of how upstream dispatches'],
  ['apiserver_validation_declarative', 'there is one validation, which cannot differ from another'],
  ['watch_cache_capacity_', 'the history of a watch cache grows and shrinks by other rules'],
  ['informer_', "client-go's; parts of this server read its own caches"],
  ['leader_election', 'the server elects no leader'],
  ['rest_client_exec', "client-go's plugins for credentials"],
  ['rest_client', "client-go's; parts of this server call it without a socket, and its calls of webhooks have metrics of their own"],
  ['running_managed_controllers', "kube-controller-manager's"],
  ['apiextensions_openapi', 'documents are made when they are asked for'],
  ['aggregator_openapi', 'documents are made when they are asked for'],
];

export function absenceOf(name: string): string {
  return absences.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'not measured';
}
