import type { FlagGroup, FlagValues } from './flag.ts';
import { admissionFlags } from './admission.ts';
import { auditingFlags } from './auditing.ts';
import { authenticationFlags } from './authentication.ts';
import { authorizationFlags } from './authorization.ts';
import { etcdFlags } from './etcd.ts';
import { apiEnablementFlags, egressSelectorFlags, featuresFlags } from './features.ts';
import { genericFlags } from './generic.ts';
import { globalFlags, wheelhouseFlags } from './global.ts';
import { miscFlags } from './misc.ts';
import { logsFlags, metricsFlags, tracesFlags } from './observability.ts';
import { secureServingFlags } from './secure-serving.ts';

/** In the order of help. */
export const serverFlagGroups: readonly FlagGroup[] = [
  genericFlags,
  etcdFlags,
  secureServingFlags,
  auditingFlags,
  featuresFlags,
  authenticationFlags,
  authorizationFlags,
  apiEnablementFlags,
  egressSelectorFlags,
  admissionFlags,
  metricsFlags,
  logsFlags,
  tracesFlags,
  miscFlags,
  wheelhouseFlags,
  globalFlags,
];

/** Every flag of kube-apiserver by name. */
export const serverFlags = {
  ...genericFlags.flags,
  ...etcdFlags.flags,
  ...secureServingFlags.flags,
  ...auditingFlags.flags,
  ...featuresFlags.flags,
  ...authenticationFlags.flags,
  ...authorizationFlags.flags,
  ...apiEnablementFlags.flags,
  ...egressSelectorFlags.flags,
  ...admissionFlags.flags,
  ...metricsFlags.flags,
  ...logsFlags.flags,
  ...tracesFlags.flags,
  ...miscFlags.flags,
  ...wheelhouseFlags.flags,
  ...globalFlags.flags,
};

export type ServerOptions = FlagValues<typeof serverFlags>;
