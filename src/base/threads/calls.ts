import type { MessagePort } from 'node:worker_threads';

/** What one thread offers to another: by name, a function of one value. Values and results are copied, as `structuredClone()` does it. */
export type Functions = Readonly<Record<string, (argument: never) => unknown>>;

type Argument<F> = F extends (argument: infer A) => unknown ? A : never;
type Result<F> = F extends (...all: never) => infer R ? Awaited<R> : never;

type Message =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: Error & { readonly name: string } & Readonly<Record<string, unknown>> }
  | { readonly type: 'notice'; readonly name: string; readonly argument: unknown };

/** What is sent, or what makes it when that happens. */
type Outgoing = Message | (() => Message);

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
 * callback of the event loop as one: what a message costs, and the thread that it wakes, hardly depends on its size. `Theirs`: what the
 * other side offers; a notice is a call without a result.
 */
export class Calls<Theirs extends Functions> implements Disposable {
  readonly #port: MessagePort;
  readonly #ours: Functions;
  /** gives errors of the other thread their classes again */
  readonly #revive: (error: Error) => Error;
  readonly #waiting = new Map<number, Waiting>();
  #outgoing: Outgoing[] = [];
  #last = 0;
  #closed = false;

  constructor(port: MessagePort, ours: Functions, options: { closed?: () => void; revive?: (error: Error) => Error } = {}) {
    this.#port = port;
    this.#ours = ours;
    this.#revive = options.revive ?? ((error) => error);
    port.on('message', (messages: readonly Message[]) => {
      for (const message of messages) this.#receive(message);
    });
    port.on('close', () => {
      this.#end();
      options.closed?.();
    });
  }

  async call<N extends keyof Theirs & string>(name: N, argument: Argument<Theirs[N]>): Promise<Result<Theirs[N]>> {
    if (this.#closed) throw new ThreadGoneError();
    const id = ++this.#last;
    return new Promise<Result<Theirs[N]>>((resolve, reject) => {
      this.#send({ type: 'call', id, name, argument });
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    });
  }

  notify<N extends keyof Theirs & string>(name: N, argument: Argument<Theirs[N]>): void {
    this.#send({ type: 'notice', name, argument });
  }

  /** The same, with an argument that is asked for when it is sent: what has come until then can be part of it. */
  notifyLate<N extends keyof Theirs & string>(name: N, argument: () => Argument<Theirs[N]>): void {
    this.#send(() => ({ type: 'notice', name, argument: argument() }));
  }

  [Symbol.dispose](): void {
    this.#flush();
    this.#end();
    this.#port.close();
  }

  #end(): void {
    this.#closed = true;
    const error = new ThreadGoneError();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #send(outgoing: Outgoing): void {
    if (this.#closed) return;
    // A tick that is asked for in a microtask comes when there are no more of them.
    if (this.#outgoing.push(outgoing) === 1) queueMicrotask(() => process.nextTick(() => this.#flush()));
  }

  #flush(): void {
    const outgoing = this.#outgoing;
    if (this.#closed || outgoing.length === 0) return;
    this.#outgoing = [];
    // Not by `map()`: its arrays count as such with holes, and are copied as objects are, which takes several times as long.
    const messages: Message[] = [];
    for (const one of outgoing) messages.push(typeof one === 'function' ? one() : one);
    this.#port.postMessage(messages);
  }

  #receive(message: Message): void {
    if (message.type === 'call') void this.#respond(message.id, message.name, message.argument);
    else if (message.type === 'notice') this.#ours[message.name]?.(message.argument as never);
    else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.type === 'result') waiting?.resolve(message.value);
      else waiting?.reject(this.#revive(revived(message.error)));
    }
  }

  async #respond(id: number, name: string, argument: unknown): Promise<void> {
    let response: Message;
    try {
      response = { type: 'result', id, value: await this.#ours[name]!(argument as never) };
    } catch (error) {
      response = { type: 'failure', id, error: described(error) };
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
