// Upstream: k8s.io/apiserver/pkg/server/options/audit.go
import type { AuditBackendConfig } from '../controlplane/auditing.ts';
import type { GivenConfig } from '../controlplane/config.ts';
import { goQuote } from '../machinery/go-format.ts';
import { parseGroupVersion, unexpectedGroupVersionMessage } from '../machinery/group-version.ts';
import type { LogFormat } from '../server/access/audit/log-backend.ts';
import type { ServerOptions } from './flags/index.ts';

type Plugin = 'log' | 'webhook';

const modes: readonly string[] = ['batch', 'blocking', 'blocking-strict'];
const formats: readonly string[] = ['legacy', 'json'];

export function auditConfig(flags: ServerOptions): NonNullable<GivenConfig['auditing']> {
  return {
    policyFile: flags['audit-policy-file'] || undefined,
    log:
      flags['audit-log-path'] === ''
        ? undefined
        : {
            path: flags['audit-log-path'],
            format: flags['audit-log-format'] as LogFormat,
            maxSizeMegabytes: flags['audit-log-maxsize'],
            maxBackups: flags['audit-log-maxbackup'],
            maxAgeDays: flags['audit-log-maxage'],
            compress: flags['audit-log-compress'],
            ...backendConfig(flags, 'log'),
          },
    webhook:
      flags['audit-webhook-config-file'] === ''
        ? undefined
        : { kubeconfig: flags['audit-webhook-config-file'], initialBackoffMs: initialBackoffOf(flags), ...backendConfig(flags, 'webhook') },
  };
}

function backendConfig(flags: ServerOptions, plugin: Plugin): AuditBackendConfig {
  const throttle = { qps: flags[`audit-${plugin}-batch-throttle-qps`], burst: flags[`audit-${plugin}-batch-throttle-burst`] };
  return {
    mode: flags[`audit-${plugin}-mode`] as AuditBackendConfig['mode'],
    batch: {
      bufferSize: flags[`audit-${plugin}-batch-buffer-size`],
      maxSize: flags[`audit-${plugin}-batch-max-size`],
      maxWaitMs: flags[`audit-${plugin}-batch-max-wait`],
      throttle: flags[`audit-${plugin}-batch-throttle-enable`] ? throttle : undefined,
    },
    truncate: flags[`audit-${plugin}-truncate-enabled`]
      ? {
          maxEventSize: flags[`audit-${plugin}-truncate-max-event-size`],
          maxBatchSize: flags[`audit-${plugin}-truncate-max-batch-size`],
        }
      : undefined,
  };
}

/** Two names of one setting. */
function initialBackoffOf(flags: ServerOptions): number {
  const [current, former] = [flags['audit-webhook-initial-backoff'], flags['audit-webhook-batch-initial-backoff']];
  return former === defaultBackoffMs ? current : former;
}

const defaultBackoffMs = 10_000;

/** Everything that is wrong with the flags, in upstream's words and order. */
export function validateAudit(flags: ServerOptions): string[] {
  return [...validateLog(flags), ...validateWebhook(flags)];
}

function* validateLog(flags: ServerOptions): Iterable<string> {
  if (flags['audit-log-path'] === '') return;
  yield* validatePlugin(flags, 'log');
  const format = flags['audit-log-format'];
  if (!formats.includes(format)) yield `invalid audit log format ${format}, allowed formats are ${goQuote(formats.join(','))}`;
  for (const name of ['audit-log-maxage', 'audit-log-maxbackup', 'audit-log-maxsize'] as const) {
    if (flags[name] < 0) yield `--${name} ${flags[name]} can't be a negative number`;
  }
}

function* validateWebhook(flags: ServerOptions): Iterable<string> {
  if (flags['audit-webhook-config-file'] !== '') yield* validatePlugin(flags, 'webhook');
}

function* validatePlugin(flags: ServerOptions, plugin: Plugin): Iterable<string> {
  const batch = batchProblem(flags, plugin);
  if (batch !== undefined) yield batch;
  const [eventSize, batchSize] = [flags[`audit-${plugin}-truncate-max-event-size`], flags[`audit-${plugin}-truncate-max-batch-size`]];
  if (eventSize <= 0) yield `invalid audit truncate ${plugin} max event size ${eventSize}, must be a positive number`;
  else if (batchSize < eventSize) {
    yield `invalid audit truncate ${plugin} max batch size ${batchSize}, must be greater than max event size (${eventSize})`;
  }
  const version = flags[`audit-${plugin}-version`];
  if (parseGroupVersion(version) === undefined) yield unexpectedGroupVersionMessage(version);
  else if (version !== 'audit.k8s.io/v1') yield 'invalid group version, allowed versions are ["audit.k8s.io/v1"]';
}

function batchProblem(flags: ServerOptions, plugin: Plugin): string | undefined {
  const mode = flags[`audit-${plugin}-mode`];
  if (!modes.includes(mode)) return `invalid audit ${plugin} mode ${mode}, allowed modes are ${goQuote(modes.join(','))}`;
  if (mode !== 'batch') return undefined;
  const positive = 'must be a positive number';
  const [bufferSize, maxSize] = [flags[`audit-${plugin}-batch-buffer-size`], flags[`audit-${plugin}-batch-max-size`]];
  if (bufferSize <= 0) return `invalid audit batch ${plugin} buffer size ${bufferSize}, ${positive}`;
  if (maxSize <= 0) return `invalid audit batch ${plugin} max batch size ${maxSize}, ${positive}`;
  if (!flags[`audit-${plugin}-batch-throttle-enable`]) return undefined;
  const [qps, burst] = [flags[`audit-${plugin}-batch-throttle-qps`], flags[`audit-${plugin}-batch-throttle-burst`]];
  if (qps <= 0) return `invalid audit batch ${plugin} throttle QPS ${qps}, ${positive}`;
  if (burst <= 0) return `invalid audit batch ${plugin} throttle burst ${burst}, ${positive}`;
  return undefined;
}
