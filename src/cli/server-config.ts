import type { Logger } from '../base/log.ts';
import type { GivenConfig } from '../controlplane/config.ts';
import { formatCidr } from '../machinery/ip.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import { auditConfig } from './auditing.ts';
import type { CompletedOptions } from './complete-options.ts';
import { admissionConfig } from './flags/admission.ts';
import { authenticationConfig } from './flags/authentication.ts';
import { authorizationConfig } from './flags/authorization.ts';
import { etcdConfig } from './flags/etcd.ts';
import { genericConfig } from './flags/generic.ts';
import { miscConfig } from './flags/misc.ts';
import { servingConfig } from './flags/secure-serving.ts';
import { apiPreferences } from './runtime-config.ts';

/** What the flags ask for. */
export function serverConfig(options: CompletedOptions, features: FeatureGates, log: Logger): GivenConfig {
  const { flags, dataDirectory, serviceRanges, advertiseAddress } = options;
  return merge(
    genericConfig(flags),
    etcdConfig(flags),
    servingConfig(flags),
    authenticationConfig(flags, options.changed, flags['service-account-signing-key-file']),
    authorizationConfig(flags, options.authorizationModes),
    admissionConfig(flags),
    miscConfig(flags),
    {
      log,
      ...(dataDirectory !== undefined && { storage: { backend: { directory: dataDirectory } } }),
      serving: { advertiseAddress },
      auditing: auditConfig(flags),
      flowControl: { priorityAndFairness: flags['enable-priority-and-fairness'] },
      resources: { apis: apiPreferences(flags['runtime-config']), features },
      services: { ranges: serviceRanges.map(formatCidr) },
      observability: { flags: () => new Map(Object.entries(flags).map(([name, value]) => [name, flagText(value)])) },
      controllers: flags['embedded-controllers'],
    },
  );
}

/** A group that several speak of has what all of them say. */
function merge(...configs: readonly GivenConfig[]): GivenConfig {
  const merged: Record<string, unknown> = {};
  for (const config of configs) {
    for (const [group, said] of Object.entries(config)) {
      const known = merged[group];
      merged[group] = typeof known === 'object' && typeof said === 'object' ? { ...known, ...said } : said;
    }
  }
  return merged;
}

/** A flag's value as `/flagz` shows it. */
function flagText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}
