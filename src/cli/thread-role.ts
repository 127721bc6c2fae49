import { createServer } from 'node:net';
import type { ThreadRole } from '../controlplane/workers/thread.ts';
import { listenError } from '../controlplane/serving.ts';
import type { WorkerThreadData } from './worker-command.ts';

/** As much as the main thread is given by the executable: objects may be deep, and what walks them is recursive. */
const stackMegabytes = 60;

/** Which part this thread has: of several it is the first, and starts the others, with the same arguments. */
export async function threadRole(workers: number, command: Pick<WorkerThreadData, 'args' | 'quiet'>): Promise<ThreadRole> {
  if (workers === 1) return { role: 'only' };
  const { Worker } = await import('node:worker_threads');
  return {
    role: 'first',
    further: workers - 1,
    start: (data) =>
      new Worker(process.argv[1] as string, {
        argv: ['worker-thread'],
        workerData: { ...command, data } satisfies WorkerThreadData,
        transferList: [data.port, ...(data.store === undefined ? [] : [data.store.port])],
        resourceLimits: { stackSizeMb: stackMegabytes },
      }),
  };
}

/** A port that threads share could be shared with other processes, too: that it is free is found out before. */
export async function checkPort(address: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host: address, port }, resolve));
  } catch (error) {
    throw listenError(error, { address, port });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
