import { setTimeout as sleep } from 'node:timers/promises';
import type { Item } from '../../src/storage/cache/behaviour/fixture.ts';
import type { CacheEvent, CacheEventType, WatchCache, WatchSink } from '../../src/storage/cache/types.ts';
import { CompactedError } from '../../src/storage/storage.ts';
import type { Chance } from '../support/chaotic-proxy.ts';
import { shownItem } from './event-facts.ts';

export interface Selection {
  readonly prefix: string;
  readonly color: string | undefined;
  readonly node: string | undefined;
  readonly bookmarks: boolean;
  /** reads less than there is, and is cut off */
  readonly slow: boolean;
}

/** From a state on, over any number of watches, until history is lost or the game is over. */
export interface Journey {
  readonly from: number;
  readonly state: readonly string[];
  readonly got: string[];
  /** everything up to here has been read */
  position: number;
}

type Message =
  | { readonly type: 'event'; readonly text: string; readonly revision: number }
  | { readonly type: 'bookmark'; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: 'end'; readonly error: Error };

const messageBytes = 1000;
/** more unread than this, and the client is cut off */
const mostUnread = 50;

/** What a server sends to one client, until the client reads it. */
class Inbox implements WatchSink<Item> {
  readonly #messages: Message[] = [];
  #wake: (() => void) | undefined;
  readonly #drained: (() => void)[] = [];

  event(type: CacheEventType, event: CacheEvent<Item>): void {
    this.#add({ type: 'event', text: `${type} ${shownItem(event.object)}`, revision: event.revision });
  }

  bookmark(revision: number, initialEventsEnd: boolean): void {
    this.#add({ type: 'bookmark', revision, initialEventsEnd });
  }

  end(error: Error): void {
    this.#add({ type: 'end', error });
  }

  get pending(): number {
    return this.#messages.length * messageBytes;
  }

  get overflows(): boolean {
    return this.#messages.length > mostUnread;
  }

  /** The past waits for the reader. */
  drained(): Promise<void> | undefined {
    return this.#messages.length > 5 ? new Promise((resolve) => this.#drained.push(resolve)) : undefined;
  }

  take(): Message | undefined {
    const message = this.#messages.shift();
    if (this.#messages.length === 0) for (const resolve of this.#drained.splice(0)) resolve();
    return message;
  }

  async arrival(ms: number): Promise<void> {
    if (this.#messages.length > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await Promise.race([promise, sleep(ms)]);
  }

  #add(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }
}

/** Watches one selection as client-go does: a state, then watches from where it was, a new state when that is too long ago. */
export class EventClient {
  readonly selection: Selection;
  readonly journeys: Journey[] = [];
  readonly #server: () => WatchCache<Item>;
  readonly #chance: Chance;
  #journey: Journey | undefined;
  #goal = Infinity;
  watches = 0;
  expired = 0;

  constructor(server: () => WatchCache<Item>, selection: Selection, chance: Chance) {
    this.#server = server;
    this.selection = selection;
    this.#chance = chance;
  }

  get finished(): boolean {
    return (this.#journey?.position ?? 0) >= this.#goal;
  }

  finishAt(revision: number): void {
    this.#goal = revision;
  }

  describe(): string {
    return `${JSON.stringify(this.selection)} is at ${this.#journey?.position} of ${this.#goal} after ${this.watches} watches`;
  }

  async run(): Promise<void> {
    while (!this.finished) {
      await this.#watchOnce();
      if (this.#chance() < 0.5) await sleep(this.#chance() * 20);
    }
  }

  async #watchOnce(): Promise<void> {
    const { prefix, color, node, bookmarks, slow } = this.selection;
    const inbox = new Inbox();
    const journey = this.#journey;
    const initial: string[] = [];
    this.watches++;
    const handle = this.#server().watch({
      prefix,
      matches: (item) =>
        (color === undefined || item.labels?.['color'] === color) && (node === undefined || item.fields['spec.nodeName'] === node),
      ...(node === undefined ? {} : { fieldEquals: { 'spec.nodeName': node } }),
      // The end of the state is a bookmark.
      bookmarks: bookmarks || journey === undefined,
      from: journey?.position ?? 'any',
      ...(journey === undefined ? { initialEventsAtLeast: 0 } : {}),
      sink: inbox,
    });
    const leaveAt = performance.now() + 10 + this.#chance() * 400;
    try {
      while (performance.now() < leaveAt && !this.finished && !inbox.overflows) {
        await inbox.arrival(Math.max(0, leaveAt - performance.now()));
        const message = inbox.take();
        if (message === undefined) continue;
        if (message.type === 'end') return this.#ended(message.error);
        this.#read(message, initial);
        if (slow && this.#chance() < 0.3) await sleep(this.#chance() * 10);
      }
    } finally {
      handle.close();
    }
  }

  #read(message: Exclude<Message, { type: 'end' }>, initial: string[]): void {
    const journey = this.#journey;
    if (journey === undefined) {
      if (message.type === 'event') initial.push(message.text.replace(/^ADDED /, ''));
      else if (message.initialEventsEnd) this.#setOut(message.revision, initial);
      return;
    }
    if (message.type === 'event') journey.got.push(`${message.text} @${message.revision}`);
    journey.position = Math.max(journey.position, message.revision);
  }

  #setOut(from: number, initial: readonly string[]): void {
    this.#journey = { from, state: initial.toSorted(), got: [], position: from };
    this.journeys.push(this.#journey);
  }

  #ended(error: Error): void {
    if (!(error instanceof CompactedError)) return;
    this.expired++;
    this.#journey = undefined;
  }
}
