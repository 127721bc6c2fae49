// Upstream: apiserver/pkg/server/options/audit.go
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { goQuote } from '../machinery/go-format.ts';
import { parseGroupVersion, unexpectedGroupVersionMessage } from '../machinery/group-version.ts';
import type { AuditOptions } from '../server/access/audit/auditor.ts';
import type { AuditBackend } from '../server/access/audit/backend.ts';
import { ignoringErrors, unionBackend } from '../server/access/audit/backend.ts';
import { BatchBackend } from '../server/access/audit/batch-backend.ts';
import type { LineWriter, LogFormat } from '../server/access/audit/log-backend.ts';
import { LogBackend } from '../server/access/audit/log-backend.ts';
import { loadPolicy } from '../server/access/audit/policy.ts';
import type { AuditReports } from '../server/access/audit/reports.ts';
import { RotatingFile, megabytes } from '../server/access/audit/rotating-file.ts';
import { streamWriter } from '../server/access/audit/standard-output.ts';
import { TruncatingBackend } from '../server/access/audit/truncating-backend.ts';
import { WebhookBackend } from '../server/access/audit/webhook-backend.ts';
import type { RemoteServer } from '../server/webhook/kubeconfig.ts';
import { loadKubeconfig } from '../server/webhook/kubeconfig.ts';
import type { ServerOptions } from './flags/index.ts';

type Plugin = 'log' | 'webhook';

const modes: readonly string[] = ['batch', 'blocking', 'blocking-strict'];
const formats: readonly string[] = ['legacy', 'json'];
const dayMs = 24 * 60 * 60 * 1000;

/** What the flags ask to be recorded; undefined: nothing, for want of a policy or of a place. */
export async function openAudit(flags: ServerOptions, clock: Clock, log: Logger): Promise<AuditOptions | undefined> {
  const policy = flags['audit-policy-file'] === '' ? undefined : loadPolicyOf(flags['audit-policy-file'], log);
  const writer = flags['audit-log-path'] === '' ? undefined : await openLog(flags, clock, log);
  const server = flags['audit-webhook-config-file'] === '' || policy === undefined ? undefined : webhookOf(flags);
  if (policy === undefined || (writer === undefined && server === undefined)) {
    await writer?.close();
    return undefined;
  }
  return {
    policy,
    open(reports) {
      const backends: AuditBackend[] = [];
      if (writer !== undefined) {
        const lines = new LogBackend(writer, flags['audit-log-format'] as LogFormat, reports);
        backends.push(wrapped(flags, 'log', lines, reports, clock));
      }
      if (server !== undefined) {
        const initialBackoff = initialBackoffOf(flags);
        backends.push(wrapped(flags, 'webhook', new WebhookBackend({ server, initialBackoff }, reports, clock), reports, clock));
      }
      return backends.length === 1 ? (backends[0] as AuditBackend) : unionBackend(backends);
    },
  };
}

function loadPolicyOf(file: string, log: Logger): AuditOptions['policy'] {
  try {
    return loadPolicy(file, log);
  } catch (error) {
    throw new Error(`loading audit policy file: ${(error as Error).message}`, { cause: error });
  }
}

async function openLog(flags: ServerOptions, clock: Clock, log: Logger): Promise<LineWriter> {
  const path = flags['audit-log-path'];
  if (path === '-') return streamWriter(process.stdout);
  try {
    const options = {
      path,
      maxSize: megabytes(flags['audit-log-maxsize']),
      maxBackups: flags['audit-log-maxbackup'],
      maxAge: flags['audit-log-maxage'] * dayMs,
      compress: flags['audit-log-compress'],
      onUntidy: (error: unknown) => log.warn('old audit logs could not be tidied up', { error }),
    };
    return await RotatingFile.open(options, clock);
  } catch (error) {
    throw new Error(`ensureLogFile: ${(error as Error).message}`, { cause: error });
  }
}

function webhookOf(flags: ServerOptions): RemoteServer {
  try {
    return loadKubeconfig(flags['audit-webhook-config-file']);
  } catch (error) {
    throw new Error(`initializing audit webhook: ${(error as Error).message}`, { cause: error });
  }
}

/** Two names of one setting. */
function initialBackoffOf(flags: ServerOptions): number {
  const [current, former] = [flags['audit-webhook-initial-backoff'], flags['audit-webhook-batch-initial-backoff']];
  return former === defaultBackoffMs ? current : former;
}

const defaultBackoffMs = 10_000;

function wrapped(flags: ServerOptions, plugin: Plugin, backend: AuditBackend, reports: AuditReports, clock: Clock): AuditBackend {
  const delegate = inMode(flags, plugin, backend, reports, clock);
  if (!flags[`audit-${plugin}-truncate-enabled`]) return delegate;
  const maxEventSize = flags[`audit-${plugin}-truncate-max-event-size`];
  const maxBatchSize = flags[`audit-${plugin}-truncate-max-batch-size`];
  return new TruncatingBackend(delegate, { maxEventSize, maxBatchSize }, reports);
}

function inMode(flags: ServerOptions, plugin: Plugin, backend: AuditBackend, reports: AuditReports, clock: Clock): AuditBackend {
  const mode = flags[`audit-${plugin}-mode`];
  if (mode === 'blocking-strict') return backend;
  if (mode === 'blocking') return ignoringErrors(backend);
  const options = {
    bufferSize: flags[`audit-${plugin}-batch-buffer-size`],
    maxBatchSize: flags[`audit-${plugin}-batch-max-size`],
    maxBatchWait: flags[`audit-${plugin}-batch-max-wait`],
    throttle: flags[`audit-${plugin}-batch-throttle-enable`]
      ? { qps: flags[`audit-${plugin}-batch-throttle-qps`], burst: flags[`audit-${plugin}-batch-throttle-burst`] }
      : undefined,
    // Lines of a log are to be in order; a webhook sorts for itself.
    isConcurrent: plugin === 'webhook',
  };
  return new BatchBackend(backend, options, reports, clock);
}

/** Everything that is wrong with the flags, in the original's words and order. */
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
