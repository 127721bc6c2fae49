import { isMainThread, workerData } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { whenAborted } from '../base/pause.ts';
import { createFeatureGates } from '../controlplane/feature-gates.ts';
import { FirstThread } from '../controlplane/workers/first-thread.ts';
import type { FurtherThreadData } from '../controlplane/workers/thread.ts';
import { ReplicaStorage } from '../storage/drivers/replica/replica-storage.ts';
import { completeOptions } from './complete-options.ts';
import { serverFlags } from './flags/index.ts';
import { effectiveVersion } from './flags/versions.ts';
import { collectWhenIdle } from './idle-collection.ts';
import { openLog } from './logging.ts';
import { parseFlags } from './parse-flags.ts';
import { runServer } from './run-server.ts';
import type { CommandIo } from './server-command.ts';
import { surviveStrayErrors } from './stray-errors.ts';

export interface WorkerThreadData {
  /** of the first thread: they are good */
  readonly args: readonly string[];
  readonly quiet: boolean;
  readonly data: FurtherThreadData;
}

/** One of the further threads of a server: serves until the first says that it is to stop. */
export async function workerCommand(io: CommandIo): Promise<number> {
  if (isMainThread) {
    io.err('Error: worker-thread is no command: a server starts its threads itself, with --workers\n');
    return 1;
  }
  const { args, quiet, data } = workerData as WorkerThreadData;
  const { values: flags, changed } = parseFlags(serverFlags, args);
  const { gates } = createFeatureGates(flags['feature-gates'], effectiveVersion(flags));
  using opened = openLog(flags, io, quiet && !changed.has('v'));
  const { log, verbosity } = opened;
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<void>();
  const first = new FirstThread(data.port, () => {
    stopping.abort();
    return stopped.promise;
  });
  const storage = data.store && (await ReplicaStorage.open({ ...data.store, clock: systemClock }));
  const { threads, listensOn } = data;
  const role = { role: 'further', first, threads, listensOn, storage } as const;
  const server = await runServer(completeOptions(flags, changed), gates, log, verbosity, stopping.signal, role);
  using _ = surviveStrayErrors(process, log, server.metrics);
  using __ = collectWhenIdle();
  first.ready(server.metrics);
  await whenAborted(stopping.signal);
  await server.stop();
  await storage?.[Symbol.asyncDispose]();
  stopped.resolve();
  first.close();
  return 0;
}
