/** Metrics about the process or the cluster, and shares of something: what the threads say of them must not be added up. */
const names: ReadonlySet<string> = new Set([
  'aggregator_unavailable_apiservice',
  'apiserver_flowcontrol_current_r',
  'apiserver_flowcontrol_dispatch_r',
  'apiserver_flowcontrol_latest_s',
  'apiserver_flowcontrol_next_discounted_s_bounds',
  'apiserver_flowcontrol_next_s_bounds',
  'apiserver_flowcontrol_seat_fair_frac',
  'apiserver_requested_deprecated_apis',
  'apiserver_resource_objects',
  'apiserver_resource_size_estimate_bytes',
  'apiserver_storage_objects',
  'apiserver_storage_size_bytes',
  'apiserver_watch_cache_resource_version',
  'go_goroutines',
  'version_info',
  'wheelhouse_event_loop_utilization_ratio',
  'wheelhouse_flowcontrol_loop_delay_seconds',
  'wheelhouse_flowcontrol_seat_share',
]);
const starts: readonly string[] = [
  'apiserver_externaljwt_',
  'disabled_metrics',
  'hidden_metrics',
  'kube_apiserver_',
  'kubernetes_',
  'process_',
  'registered_metrics',
  'wheelhouse_heap_',
  'wheelhouse_store_',
];

export function isOfProcess(name: string): boolean {
  return names.has(name) || starts.some((start) => name.startsWith(start));
}
