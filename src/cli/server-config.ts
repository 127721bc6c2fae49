import type { Logger } from '../base/log.ts';
import type { Verbosity } from '../base/logging/verbosity.ts';
import type { GivenConfig } from '../controlplane/config.ts';
import { formatCidr } from '../machinery/ip.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import { auditConfig } from './auditing.ts';
import type { CompletedOptions } from './complete-options.ts';
import { flagTexts } from './flag-texts.ts';
import { admissionConfig } from './flags/admission.ts';
import { authenticationConfig } from './flags/authentication.ts';
import { authorizationConfig } from './flags/authorization.ts';
import { etcdConfig } from './flags/etcd.ts';
import { genericConfig } from './flags/generic.ts';
import { serverFlags } from './flags/index.ts';
import { miscConfig, pairOf } from './flags/misc.ts';
import { servingConfig } from './flags/secure-serving.ts';
import { metricsConfig } from './metrics-options.ts';
import { ownPathsConfig } from './flags/own-paths-flag.ts';
import { effectiveVersion } from './flags/versions.ts';
import { apiPreferences } from './runtime-config.ts';

/** What the flags ask for. */
export function serverConfig(options: CompletedOptions, features: FeatureGates, log: Logger, verbosity?: Verbosity): GivenConfig {
  const { flags, dataDirectory, serviceRanges, advertiseAddress } = options;
  return merge(
    // The embedded store, unless a flag names another.
    dataDirectory === undefined ? {} : { storage: { backend: { directory: dataDirectory } } },
    genericConfig(flags),
    etcdConfig(flags),
    servingConfig(flags),
    authenticationConfig(flags, options.changed, {
      keyFile: flags['service-account-signing-key-file'],
      endpoint: flags['service-account-signing-endpoint'],
    }),
    authorizationConfig(flags, options.authorizationModes),
    admissionConfig(flags),
    miscConfig(flags),
    metricsConfig(flags),
    {
      log,
      serving: { advertiseAddress },
      auditing: auditConfig(flags),
      flowControl: { priorityAndFairness: flags['enable-priority-and-fairness'] },
      resources: { apis: apiPreferences(flags['runtime-config']), features, version: effectiveVersion(flags) },
      services: { ranges: serviceRanges.map(formatCidr) },
      observability: {
        flags: () => flagTexts(serverFlags, flags),
        verbosity,
        profiling: flags.profiling,
        debugSocket: flags['debug-socket-path'],
        tracingFile: flags['tracing-config-file'],
        logFiles: flags['enable-logs-handler'],
      },
      egress: { file: flags['egress-selector-config-file'] || undefined },
      controllers: flags['embedded-controllers'],
      certificateSigning: {
        authority: pairOf(flags['cluster-signing-cert-file'], flags['cluster-signing-key-file']),
        durationMs: flags['cluster-signing-duration'],
      },
      legacyTokens: { cleanUpPeriodMs: flags['legacy-service-account-token-clean-up-period'] },
      wheelhouse: ownPathsConfig(flags),
    },
  );
}

/** A group that several speak of has what all of them say; what one of them leaves open it does not take back. */
function merge(...configs: readonly GivenConfig[]): GivenConfig {
  const merged: Record<string, unknown> = {};
  for (const config of configs) {
    for (const [group, said] of Object.entries(config)) {
      const known = merged[group];
      merged[group] = isGroup(known) && isGroup(said) ? { ...known, ...definite(said) } : said;
    }
  }
  return merged;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function definite(group: object): object {
  return Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined));
}
