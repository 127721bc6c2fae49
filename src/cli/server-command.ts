// Upstream: k8s.io/kubernetes/cmd/kube-apiserver/app/server.go#NewAPIServerCommand
import { goQuote } from '../machinery/go-format.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import type { CompletedOptions } from './complete-options.ts';
import { completeOptions } from './complete-options.ts';
import { createFeatureGates } from '../controlplane/feature-gates.ts';
import { effectiveVersion } from './flags/versions.ts';
import { serverFlagGroups, serverFlags } from './flags/index.ts';
import { flagTexts } from './flag-texts.ts';
import { renderHelp } from './help.ts';
import { collectWhenIdle } from './idle-collection.ts';
import type { OpenLog } from './logging.ts';
import { earlyLog, openLog, validateLogging } from './logging.ts';
import { parseFlags } from './parse-flags.ts';
import { validatePeers } from './peer-options.ts';
import { surviveStrayErrors } from './stray-errors.ts';
import { untilSignalled } from './signals.ts';
import { notifySystemd } from './systemd.ts';
import { aggregate, validateOptions } from './validate-options.ts';
import { threadRole } from './thread-role.ts';
import { versionText, wheelhouseVersion } from './version.ts';

/** What a command writes to, and the signals that it gets. */
export interface CommandIo {
  out(text: string): void;
  err(text: string): void;
  /** for how many milliseconds text has been lost, since it is not read */
  blockedMs?(): number;
}

export interface ServerCommandHooks {
  /** also gets lines of lower severity than warnings when true */
  readonly quiet?: boolean;
  ready?(options: CompletedOptions): void;
  stopped?(): void;
  /** Why the server did not start, or ended; without it, that is logged. */
  failed?(error: unknown): void;
}

/** Runs kube-apiserver with these arguments until it is asked to stop; resolves with the exit code. */
export async function serverCommand(args: readonly string[], io: CommandIo, hooks: ServerCommandHooks = {}): Promise<number> {
  let parsed;
  try {
    parsed = parseFlags(serverFlags, args);
  } catch (error) {
    return fail(io, error);
  }
  for (const notice of parsed.notices) io.err(`${notice}\n`);
  const { values: flags, positional } = parsed;
  if (flags.help) {
    io.out(renderHelp(intro, 'kube-apiserver [flags]', serverFlagGroups, process.stdout.columns));
    return 0;
  }
  if (positional.some((arg) => arg !== '')) {
    return fail(
      io,
      new Error(`"kube-apiserver" does not take any arguments, got [${positional.map((arg) => JSON.stringify(arg)).join(' ')}]`),
    );
  }
  if (flags.version === 'true' || flags.version === 'raw') {
    io.out(`${versionText(flags.version)}\n`);
    return 0;
  }
  const early = earlyLog(io);
  let opened: OpenLog | undefined;
  try {
    const { gates, warnings } = createFeatureGates(flags['feature-gates'], effectiveVersion(flags));
    const problems = validateLogging(flags, gates);
    if (problems.length > 0) throw new Error(aggregate(problems));
    opened = openLog(flags, io, hooks.quiet === true && !parsed.changed.has('v'));
    const { log } = opened;
    const shown = log.v(1);
    if (shown !== undefined) for (const [name, text] of flagTexts(serverFlags, flags)) shown.info(`FLAG: --${name}=${goQuote(text)}`);
    log.info('Wheelhouse', { version: wheelhouseVersion, node: process.version });
    const options = completeOptions(flags, parsed.changed);
    for (const warning of [...warnings, ...options.warnings]) log.warn(warning);
    const errors = [...validateOptions(options), ...validatePeers(flags, gates)];
    if (errors.length > 0) throw new Error(aggregate(errors));
    if (options.dataDirectory !== undefined) log.info('state is kept in the embedded store', { directory: options.dataDirectory });
    await serve(options, gates, opened, hooks, args);
    hooks.stopped?.();
    return 0;
  } catch (error) {
    if (hooks.failed === undefined) (opened?.log ?? early).error('command failed', { err: error });
    else hooks.failed(error);
    return 1;
  } finally {
    opened?.[Symbol.dispose]();
  }
}

async function serve(
  options: CompletedOptions,
  features: FeatureGates,
  { log, verbosity }: OpenLog,
  hooks: ServerCommandHooks,
  args: readonly string[],
): Promise<void> {
  const stopping = new AbortController();
  const signalled = untilSignalled().then(() => stopping.abort());
  const { signal } = stopping;
  const { runServer } = await import('./run-server.ts');
  const role = await threadRole(options.flags.workers, { args, quiet: hooks.quiet === true });
  const server = await runServer(options, features, log, verbosity, signal, role).catch((error: unknown) => {
    // A start that was called off has not failed.
    if (!signal.aborted) throw error;
  });
  if (server === undefined) return;
  using _ = surviveStrayErrors(process, log, server.metrics);
  using __ = collectWhenIdle();
  if (!signal.aborted) {
    hooks.ready?.(options);
    void notifySystemd('READY=1', log);
  }
  await signalled;
  void notifySystemd('STOPPING=1', log);
  await server.stop();
}

const intro = `The Kubernetes API server, by Wheelhouse. Without --etcd-servers it keeps its state in a folder of its own.
"kube-apiserver dev" starts one with everything it needs, for development; backup, restore, verify, compact and migrate
work on what it has kept ("kube-apiserver backup --help").`;

function fail(io: CommandIo, error: unknown): number {
  io.err(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
}
