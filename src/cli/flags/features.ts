import { flagGroup } from './flag.ts';
import { bool, configurationMap, string } from './flag-kinds.ts';

export const featuresFlags = flagGroup('Features', {
  'contention-profiling': bool(false, 'refused when true: one thread runs all requests, and Node has no profile of what blocks it'),
  'debug-socket-path': string('', 'unix socket that offers profiles and /debug/flags to everybody who can open it'),
  'enable-priority-and-fairness': bool(true, 'queue requests by flow when the server is busy'),
  profiling: bool(true, 'offer profiles under /debug/pprof/, and /debug/flags/v'),
});

export const apiEnablementFlags = flagGroup('API enablement', {
  'runtime-config': configurationMap(
    'APIs to serve or not, as group/version[/resource]=true|false, api/all, api/ga, api/beta or api/alpha',
  ),
});

export const egressSelectorFlags = flagGroup('Egress selector', {
  'egress-selector-config-file': string('', 'file that says through which proxies the server reaches cluster, control plane and etcd'),
});
