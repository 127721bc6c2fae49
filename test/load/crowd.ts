// A process of its own: what measures must not wait for what loads.
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrowdCommand, CrowdMessage, CrowdPlan, CrowdReport, CrowdTask } from './crowd-plan.ts';

interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly retryAfter: string | undefined;
}

const failuresShown = 5;

class Crowd {
  readonly #plan: CrowdPlan;
  readonly #task: CrowdTask;
  readonly #sessions: ClientHttp2Session[] = [];
  readonly #statuses: Record<string, number> = {};
  readonly #latencies: number[] = [];
  readonly #goodBySecond: number[] = [];
  readonly #failures: string[] = [];
  #bytes = 0;
  #withoutRetryAfter = 0;
  #unsent = 0;
  #underWay = 0;
  #began = 0;
  #stopped = false;

  constructor(plan: CrowdPlan, task: CrowdTask) {
    this.#plan = plan;
    this.#task = task;
  }

  async open(): Promise<void> {
    while (this.#sessions.length < this.#plan.connections) this.#sessions.push(await this.#connect());
  }

  async run(): Promise<void> {
    this.#began = performance.now();
    const { clients, everyMs } = this.#plan;
    await Promise.all(
      Array.from({ length: clients }, (_, index) => (everyMs === undefined ? this.#client(index) : this.#metronome(index, everyMs))),
    );
  }

  stop(): CrowdReport {
    this.#stopped = true;
    const seconds = (performance.now() - this.#began) / 1000;
    for (const session of this.#sessions) session.destroy();
    return {
      name: this.#plan.name,
      seconds,
      statuses: this.#statuses,
      latencies: this.#latencies,
      goodBySecond: Array.from({ length: Math.floor(seconds) }, (_, second) => this.#goodBySecond[second] ?? 0),
      bytes: this.#bytes,
      withoutRetryAfter: this.#withoutRetryAfter,
      unsent: this.#unsent,
      failures: this.#failures,
    };
  }

  /** One request after the other. */
  async #client(index: number): Promise<void> {
    const { afterRefusal, pauseMs = 0 } = this.#plan;
    while (!this.#stopped) {
      const { status, retryAfter } = await this.#ask(index);
      if (status === 429) await sleep(afterRefusal === 'obey' ? Number(retryAfter ?? 1) * 1000 : afterRefusal);
      else if (status === 0) await sleep(100);
      else if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  /** By the clock, whatever became of the requests before. */
  async #metronome(index: number, everyMs: number): Promise<void> {
    const { mostUnderWay = Infinity, clients } = this.#plan;
    let due = performance.now() + (everyMs * index) / clients;
    let turn = index;
    while (!this.#stopped) {
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      for (; due <= performance.now(); due += everyMs) {
        if (this.#underWay >= mostUnderWay) this.#unsent++;
        else void this.#ask((turn += clients));
      }
    }
  }

  async #ask(index: number): Promise<Answer> {
    const begun = performance.now();
    this.#underWay++;
    const answer = await this.#request(index);
    this.#underWay--;
    if (this.#stopped) return answer;
    const now = performance.now();
    this.#statuses[answer.status] = (this.#statuses[answer.status] ?? 0) + 1;
    this.#bytes += answer.bytes;
    if (answer.status === 429 && !/^[1-9][0-9]*$/.test(answer.retryAfter ?? '')) this.#withoutRetryAfter++;
    if (answer.status >= 200 && answer.status < 300) {
      this.#latencies.push(now - begun);
      const second = Math.floor((now - this.#began) / 1000);
      this.#goodBySecond[second] = (this.#goodBySecond[second] ?? 0) + 1;
    }
    return answer;
  }

  /** Never rejects: a response that does not come is one of status 0. */
  async #request(index: number): Promise<Answer> {
    const { token, path, accept = 'application/json' } = this.#plan;
    const place = index % this.#sessions.length;
    try {
      let session = this.#sessions[place] as ClientHttp2Session;
      if (session.destroyed || session.closed) this.#sessions[place] = session = await this.#connect();
      return await new Promise<Answer>((resolve, reject) => {
        const stream = session.request({ ':path': path, accept, authorization: `Bearer ${token}` });
        let [status, bytes, retryAfter] = [0, 0, undefined as string | undefined];
        stream.on('response', (headers) => {
          status = Number(headers[':status']);
          retryAfter = headers['retry-after'] as string | undefined;
        });
        stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
        stream.on('end', () => {
          if (stream.rstCode === constants.NGHTTP2_NO_ERROR) resolve({ status, bytes, retryAfter });
        });
        stream.on('error', reject);
        stream.on('close', () => reject(new Error(`the stream was reset: ${stream.rstCode}`)));
      });
    } catch (error) {
      if (!this.#stopped && this.#failures.length < failuresShown)
        this.#failures.push(error instanceof Error ? error.message : String(error));
      return { status: 0, bytes: 0, retryAfter: undefined };
    }
  }

  async #connect(): Promise<ClientHttp2Session> {
    const { url, authority } = this.#task;
    const session = connect(url, { ca: authority, settings: { initialWindowSize: 4 << 20 } });
    session.on('error', () => {}); // its requests fail, and say so
    await once(session, 'connect');
    session.setLocalWindowSize(64 << 20);
    return session;
  }
}

const send = (message: CrowdMessage): void => void process.send?.(message);
let crowds: readonly Crowd[] = [];
process.on('disconnect', () => process.exit(0));
process.on('message', (command: CrowdCommand) => {
  if (command.type === 'go') for (const crowd of crowds) void crowd.run();
  else if (command.type === 'stop') {
    send({ type: 'reports', reports: crowds.map((crowd) => crowd.stop()) });
  } else {
    const { task } = command;
    try {
      setPriority(getPriority() + task.niceness);
    } catch {
      console.error(`the clients run at the usual priority: ${task.niceness} is for administrators`);
    }
    crowds = task.crowds.map((plan) => new Crowd(plan, task));
    void Promise.all(crowds.map((crowd) => crowd.open())).then(() => send({ type: 'ready' }));
  }
});
