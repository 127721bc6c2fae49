import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrowdCommand, CrowdMessage, CrowdReport, CrowdTask } from './crowd-plan.ts';

const program = join(import.meta.dirname, 'crowd.ts');
const answerLimitMs = 60_000;

/** Clients in a process of their own. Ends with its owner. */
export class CrowdProcess implements Disposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Connected, and waiting for `go`. */
  static async open(task: CrowdTask): Promise<CrowdProcess> {
    const child = fork(program, { serialization: 'advanced' });
    const opened = new CrowdProcess(child);
    opened.#command({ type: 'task', task });
    await opened.#answer('ready');
    return opened;
  }

  go(): void {
    this.#command({ type: 'go' });
  }

  async stop(): Promise<readonly CrowdReport[]> {
    this.#command({ type: 'stop' });
    const { reports } = await this.#answer('reports');
    this.#child.disconnect();
    return reports;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }

  #command(command: CrowdCommand): void {
    this.#child.send(command);
  }

  async #answer<T extends CrowdMessage['type']>(type: T): Promise<Extract<CrowdMessage, { type: T }>> {
    const signal = AbortSignal.timeout(answerLimitMs);
    const ended = once(this.#child, 'exit', { signal }).then(() => Promise.reject(new Error('the clients ended before their time')));
    const [message] = (await Promise.race([once(this.#child, 'message', { signal }), ended])) as [CrowdMessage];
    ended.catch(() => {}); // it may end now
    if (message.type !== type) throw new Error(`the clients said ${message.type} instead of ${type}`);
    return message as Extract<CrowdMessage, { type: T }>;
  }
}

/** Runs several processes of clients together for a while; what they report, by the name of the crowd. */
export async function runCrowds(
  tasks: readonly CrowdTask[],
  seconds: number,
  meanwhile?: () => void,
): Promise<ReadonlyMap<string, CrowdReport>> {
  using stack = new DisposableStack();
  const processes: CrowdProcess[] = [];
  for (const task of tasks) processes.push(stack.use(await CrowdProcess.open(task)));
  for (const one of processes) one.go();
  const watching = meanwhile === undefined ? undefined : setInterval(meanwhile, 1000);
  await sleep(seconds * 1000);
  clearInterval(watching);
  const reports = (await Promise.all(processes.map((one) => one.stop()))).flat();
  return new Map(reports.map((report) => [report.name, report]));
}
