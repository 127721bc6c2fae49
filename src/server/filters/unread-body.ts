import type { Clock } from '../../base/clock.ts';
import type { BodySink, StreamBody } from '../http/response.ts';
import { OuterSink } from '../http/sink.ts';

/** A client that takes nothing of its response for so long no longer keeps others waiting. */
const unreadMs = 1000;
/** Responses that may wait so for their clients: what they have been given to send stays in memory. */
const mostUnread = 256;

/**
 * Responses that wait for their clients to read. Nothing is done for them meanwhile, so they give back what they hold of the server, though
 * their requests have not ended: otherwise a client that never reads would keep others out until its requests time out. Of too many the rest
 * keep what they hold.
 */
export class UnreadBodies {
  readonly #clock: Clock;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  /** `over` is called when the body has been sent, or its client does not read it; at least once. */
  async send(body: StreamBody, sink: BodySink, over: () => void): Promise<void> {
    let isUnread = false;
    const leave = (): void => {
      if (isUnread || this.#count >= mostUnread) return;
      isUnread = true;
      this.#count++;
      over();
    };
    try {
      await body(new ReadSink(sink, this.#clock, leave));
    } finally {
      if (isUnread) this.#count--;
      over();
    }
  }
}

/** Calls when its client has not read for a while. */
class ReadSink extends OuterSink {
  readonly #clock: Clock;
  readonly #unread: () => void;

  constructor(inner: BodySink, clock: Clock, unread: () => void) {
    super(inner);
    this.#clock = clock;
    this.#unread = unread;
  }

  override async drained(): Promise<void> {
    using _waiting = this.#clock.setTimeout(this.#unread, unreadMs);
    await super.drained();
  }
}
