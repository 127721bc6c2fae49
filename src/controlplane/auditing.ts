// Upstream: k8s.io/apiserver/pkg/server/options/audit.go
import { RestClientMetrics } from '../server/webhook/rest-client-metrics.ts';
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
import type { ServerContext } from './server-context.ts';

export interface AuditBackendConfig {
  readonly mode: 'batch' | 'blocking' | 'blocking-strict';
  readonly batch: {
    readonly bufferSize: number;
    readonly maxSize: number;
    readonly maxWaitMs: number;
    readonly throttle: { readonly qps: number; readonly burst: number } | undefined;
  };
  /** bytes; undefined: events are sent whole */
  readonly truncate: { readonly maxEventSize: number; readonly maxBatchSize: number } | undefined;
}

export interface AuditLogConfig extends AuditBackendConfig {
  /** `-` for standard output */
  readonly path: string;
  readonly format: LogFormat;
  readonly maxSizeMegabytes: number;
  readonly maxBackups: number;
  readonly maxAgeDays: number;
  readonly compress: boolean;
}

export interface AuditWebhookConfig extends AuditBackendConfig {
  /** a kubeconfig file */
  readonly kubeconfig: string;
  readonly initialBackoffMs: number;
}

/** Which requests are recorded, and where. Without a policy, or without a place, none are. */
export interface AuditConfig {
  /** a file with an audit Policy */
  readonly policyFile: string | undefined;
  readonly log: AuditLogConfig | undefined;
  readonly webhook: AuditWebhookConfig | undefined;
}

export const auditDefaults: AuditConfig = Object.freeze({ policyFile: undefined, log: undefined, webhook: undefined });

/** What a log has that is asked for by its path alone. */
export const auditLogDefaults: AuditLogConfig = Object.freeze({
  path: '-',
  format: 'json',
  maxSizeMegabytes: 100,
  maxBackups: 100,
  maxAgeDays: 366,
  compress: false,
  mode: 'blocking',
  batch: { bufferSize: 10_000, maxSize: 1, maxWaitMs: 0, throttle: undefined },
  truncate: undefined,
});

/** What a webhook has that is asked for by its kubeconfig alone. */
export const auditWebhookDefaults: AuditWebhookConfig = Object.freeze({
  kubeconfig: '',
  initialBackoffMs: 10_000,
  mode: 'batch',
  batch: { bufferSize: 10_000, maxSize: 400, maxWaitMs: 30_000, throttle: { qps: 10, burst: 15 } },
  truncate: undefined,
});

const dayMs = 24 * 60 * 60 * 1000;

type AuditContext = Pick<ServerContext, 'clock' | 'log' | 'egress' | 'metrics'>;

/** undefined: nothing is recorded, for want of a policy or of a place. `lines`: where the log goes instead of its file */
export async function openAudit(
  { policyFile, log, webhook }: AuditConfig,
  context: AuditContext,
  lines?: LineWriter,
): Promise<(AuditOptions & { readonly writer: LineWriter | undefined }) | undefined> {
  const policy = policyFile === undefined ? undefined : loadPolicyOf(policyFile, context);
  const writer = log === undefined ? undefined : (lines ?? (await openLog(log, context)));
  const server = webhook === undefined || policy === undefined ? undefined : { ...serverOf(webhook), dial: context.egress.controlplane };
  if (policy === undefined || (writer === undefined && server === undefined)) {
    await writer?.close();
    return undefined;
  }
  return {
    policy,
    writer,
    open(reports) {
      const backends: AuditBackend[] = [];
      if (log !== undefined && writer !== undefined) {
        // Lines of a log are to be in order; a webhook sorts for itself.
        backends.push(wrapped(log, false, new LogBackend(writer, log.format, reports), reports, context));
      }
      if (webhook !== undefined && server !== undefined) {
        const metrics = new RestClientMetrics(context.metrics);
        const backend = new WebhookBackend({ server, initialBackoff: webhook.initialBackoffMs, metrics }, reports, context.clock);
        backends.push(wrapped(webhook, true, backend, reports, context));
      }
      return backends.length === 1 ? (backends[0] as AuditBackend) : unionBackend(backends);
    },
  };
}

function loadPolicyOf(file: string, { log }: AuditContext): AuditOptions['policy'] {
  try {
    return loadPolicy(file, log);
  } catch (error) {
    throw new Error(`loading audit policy file: ${(error as Error).message}`, { cause: error });
  }
}

async function openLog(config: AuditLogConfig, { clock, log }: AuditContext): Promise<LineWriter> {
  const { path, maxBackups, compress } = config;
  if (path === '-') return streamWriter(process.stdout);
  const onUntidy = (error: unknown): void => log.warn('old audit logs could not be tidied up', { err: error });
  const limits = { maxSize: megabytes(config.maxSizeMegabytes), maxBackups, maxAge: config.maxAgeDays * dayMs };
  try {
    return await RotatingFile.open({ path, ...limits, compress, onUntidy }, clock);
  } catch (error) {
    throw new Error(`ensureLogFile: ${(error as Error).message}`, { cause: error });
  }
}

function serverOf({ kubeconfig }: AuditWebhookConfig): RemoteServer {
  try {
    return loadKubeconfig(kubeconfig);
  } catch (error) {
    throw new Error(`initializing audit webhook: ${(error as Error).message}`, { cause: error });
  }
}

function wrapped(
  config: AuditBackendConfig,
  isConcurrent: boolean,
  backend: AuditBackend,
  reports: AuditReports,
  { clock }: AuditContext,
): AuditBackend {
  const inMode = (): AuditBackend => {
    if (config.mode === 'blocking-strict') return backend;
    if (config.mode === 'blocking') return ignoringErrors(backend);
    const { bufferSize, maxSize: maxBatchSize, maxWaitMs: maxBatchWait, throttle } = config.batch;
    return new BatchBackend(backend, { bufferSize, maxBatchSize, maxBatchWait, throttle, isConcurrent }, reports, clock);
  };
  return config.truncate === undefined ? inMode() : new TruncatingBackend(inMode(), config.truncate, reports);
}
