import type { MessagePort } from 'node:worker_threads';

/** What one thread offers to another: by name, a function of one value. Values and results are copied, as `structuredClone()` does it. */
export type Functions = Readonly<Record<string, (argument: never) => unknown>>;

type Argument<F> = F extends (argument: infer A) => unknown ? A : never;
type Result<F> = F extends (...all: never) => infer R ? Awaited<R> : never;

const kind = { call: 0, result: 1, failure: 2, notice: 3 } as const;

/** What is sent; `late`: `value` makes it when that happens. */
interface Outgoing {
  readonly kind: (typeof kind)[keyof typeof kind];
  /** of a call and its result, else 0 */
  readonly id: number;
  /** of a call and a notice, else '' */
  readonly name: string;
  readonly value: unknown;
  readonly late?: true;
}

/**
 * Fields of a message: kind, id, name and value, message after message in one list. As objects each would have the names of its fields written and looked up
 * on the other side, which takes longer than all the rest.
 */
const fields = 4;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The other thread, or the connection to it, is gone: whether what was asked for has been done is not known. */
export class ThreadGoneError extends Error {
  override readonly name = 'ThreadGoneError';
  constructor() {
    super('the other thread is gone');
  }
}

/**
 * Calls between two threads over a message port, in both directions. Messages arrive in the order in which they were sent, those of one
 * turn of the event loop as one: what a message costs, and the thread that it wakes, hardly depends on its size. `Theirs`: what the
 * other side offers; a notice is a call without a result.
 */
export class Calls<Theirs extends Functions> implements Disposable {
  readonly #port: MessagePort;
  readonly #ours: Functions;
  /** gives errors of the other thread their classes again, and what a caller understands to its being gone */
  readonly #revive: (error: Error) => Error;
  readonly #waiting = new Map<number, Waiting>();
  #outgoing: Outgoing[] = [];
  #last = 0;
  #closed = false;

  constructor(port: MessagePort, ours: Functions, options: { closed?: () => void; revive?: (error: Error) => Error } = {}) {
    this.#port = port;
    this.#ours = ours;
    this.#revive = options.revive ?? ((error) => error);
    port.on('message', (messages: readonly unknown[]) => {
      for (let at = 0; at < messages.length; at += fields) {
        this.#receive(messages[at] as Outgoing['kind'], messages[at + 1] as number, messages[at + 2] as string, messages[at + 3]);
      }
    });
    port.on('close', () => {
      this.#end();
      options.closed?.();
    });
  }

  call<N extends keyof Theirs & string>(name: N, argument: Argument<Theirs[N]>): Promise<Result<Theirs[N]>> {
    if (this.#closed) return Promise.reject(this.#revive(new ThreadGoneError()));
    const id = ++this.#last;
    return new Promise<Result<Theirs[N]>>((resolve, reject) => {
      this.#send({ kind: kind.call, id, name, value: argument });
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    });
  }

  notify<N extends keyof Theirs & string>(name: N, argument: Argument<Theirs[N]>): void {
    this.#send({ kind: kind.notice, id: 0, name, value: argument });
  }

  /** The same, with an argument that is asked for when it is sent: what has come until then can be part of it. */
  notifyLate<N extends keyof Theirs & string>(name: N, argument: () => Argument<Theirs[N]>): void {
    this.#send({ kind: kind.notice, id: 0, name, value: argument, late: true });
  }

  [Symbol.dispose](): void {
    this.#flush();
    this.#end();
    this.#port.close();
  }

  #end(): void {
    this.#closed = true;
    const error = this.#revive(new ThreadGoneError());
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #send(outgoing: Outgoing): void {
    if (this.#closed) return;
    if (this.#outgoing.push(outgoing) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const outgoing = this.#outgoing;
    if (this.#closed || outgoing.length === 0) return;
    this.#outgoing = [];
    // Not by `map()`: its arrays count as such with holes, and are copied as objects are, which takes several times as long.
    const messages: unknown[] = [];
    for (const { kind: what, id, name, value, late } of outgoing) messages.push(what, id, name, late ? (value as () => unknown)() : value);
    this.#port.postMessage(messages);
  }

  #receive(what: Outgoing['kind'], id: number, name: string, value: unknown): void {
    if (what === kind.call) void this.#respond(id, name, value);
    else if (what === kind.notice) this.#ours[name]?.(value as never);
    else {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (what === kind.result) waiting?.resolve(value);
      else waiting?.reject(this.#revive(revived(value as Error & Readonly<Record<string, unknown>>)));
    }
  }

  async #respond(id: number, name: string, argument: unknown): Promise<void> {
    let response: Outgoing;
    try {
      response = { kind: kind.result, id, name: '', value: await this.#ours[name]!(argument as never) };
    } catch (error) {
      response = { kind: kind.failure, id, name: '', value: described(error) };
    }
    this.#send(response);
  }
}

/** Names and further fields of errors do not survive a copy by themselves; a cause may hold what cannot be copied. */
function described(error: unknown): Error & Record<string, unknown> {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  return { ...error, name: error.name, message: error.message, cause: undefined };
}

function revived({ name, message, ...fields }: Error & Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error(message), { ...fields, name });
}
