import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Item } from '../../src/storage/cache/behaviour/fixture.ts';
import { decodeItem } from '../../src/storage/cache/behaviour/fixture.ts';
import type { WatchCache } from '../../src/storage/cache/types.ts';
import { createWatchCache } from '../../src/storage/cache/watch-cache.ts';
import type { Operation, Storage } from '../../src/storage/storage.ts';
import { chanceOf } from '../support/chaotic-proxy.ts';
import type { Chance } from '../support/chaotic-proxy.ts';
import { EventClient } from './event-client.ts';
import type { Selection } from './event-client.ts';
import { expectedEvents, selects, stateAt } from './event-facts.ts';
import type { Fact } from './event-facts.ts';
import { fastClock } from './event-world.ts';
import type { World } from './event-world.ts';

export const prefix = '/registry/things/';
const namespaces = ['a', 'b'];
const colors = ['red', 'blue'];
const serverCount = 2;
const clientCount = 10;
const writerCount = 3;
/** for the clients to come to the end, after the last disturbance */
const patienceMs = 20_000;

export interface Tally {
  writes: number;
  events: number;
  watches: number;
  expired: number;
  restarts: number;
  cuts: number;
  compactions: number;
}

/** One API server: a connection to the store, and a watch cache over it. */
interface Server {
  readonly storage: Storage;
  readonly cache: WatchCache<Item>;
}

/**
 * Writers write, connections break, the store restarts and forgets, servers come and go, and clients watch: each from where it was, at any
 * server, slowly or not. Whatever a client got, from a state or a revision up to where it is, must be exactly what happened.
 */
export async function playEvents(world: World, seed: number, durationMs: number): Promise<Tally> {
  const game = new Game(world, chanceOf(seed));
  return game.play(durationMs);
}

class Game {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #facts: Fact[] = [];
  readonly #servers: Server[] = [];
  readonly #clock = fastClock(20);
  readonly #tally: Tally = { writes: 0, events: 0, watches: 0, expired: 0, restarts: 0, cuts: 0, compactions: 0 };
  #over = false;
  /** writers wait while the store restarts */
  #still = Promise.resolve();
  readonly #writing = new Set<Promise<void>>();

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  async play(durationMs: number): Promise<Tally> {
    for (let i = 0; i < serverCount; i++) this.#servers.push(await this.#newServer());
    const clients = Array.from({ length: clientCount }, (_, i) => new EventClient(this.#anyServer, this.#selection(i), this.#chance));
    const watching = clients.map((client) => client.run());
    const writers = Array.from({ length: writerCount }, () => this.#write());
    await this.#disturb(durationMs, clients);
    this.#over = true;
    await Promise.all(writers);
    const said = await this.#sayLast();
    for (const client of clients) {
      const heard = said.filter(({ path, after }) => selects(client.selection, path, after));
      client.finishAt(Math.max(...heard.map(({ revision }) => revision)));
    }
    const impatience = new AbortController();
    const { signal } = impatience;
    await Promise.race([Promise.all(watching), sleep(patienceMs, undefined, { signal }).then(() => this.#reportStuck(clients))]);
    impatience.abort();
    for (const server of this.#servers) await this.#stop(server);
    for (const client of clients) this.#check(client);
    return this.#tally;
  }

  readonly #anyServer = (): WatchCache<Item> => this.#pick(this.#servers).cache;

  #pick<V>(values: readonly V[]): V {
    return values[Math.floor(this.#chance() * values.length)] as V;
  }

  /** Everything, a namespace, a color, a node, one object: in turns, so that each is there. */
  #selection(index: number): Selection {
    const namespace = index % 3 === 0 ? '' : `${this.#pick(namespaces)}/`;
    const color = index % 2 === 0 ? undefined : this.#pick(colors);
    return {
      prefix: prefix + namespace,
      color,
      node: index % 5 === 4 ? 'n1' : undefined,
      bookmarks: index % 4 !== 3,
      slow: index % 3 === 2,
    };
  }

  async #newServer(): Promise<Server> {
    const storage = await this.#world.connect();
    const cache = createWatchCache<Item>(storage, {
      prefix,
      decode: decodeItem,
      tombstone: (last, revision) => ({ ...last, revision }),
      indexedFields: ['spec.nodeName'],
      clock: this.#clock,
      historySize: this.#pick([1, 20, 100]),
    });
    return { storage, cache };
  }

  async #stop({ cache, storage }: Server): Promise<void> {
    await cache[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
  }

  async #write(): Promise<void> {
    while (!this.#over) {
      await this.#still;
      const write = this.#writeOne();
      this.#writing.add(write);
      await write;
      this.#writing.delete(write);
      if (this.#chance() < 0.3) await sleep(this.#chance() * 10);
    }
  }

  async #writeOne(): Promise<void> {
    const path = `${this.#pick(namespaces)}/${Math.floor(this.#chance() * 6)}`;
    const content = { labels: { color: this.#pick(colors) }, node: this.#pick(['n1', 'n2']) };
    const isDeletion = this.#chance() < 0.25;
    await this.#commit(path, isDeletion ? undefined : content);
  }

  async #commit(path: string, content: Fact['after']): Promise<void> {
    const key = prefix + path;
    const operations: Operation[] = [
      content === undefined ? { type: 'delete', key } : { type: 'put', key, value: Buffer.from(JSON.stringify(content)) },
    ];
    // Others share the store, also its transactions.
    if (this.#chance() < 0.2) operations.push({ type: 'put', key: '/registry/elsewhere/x', value: Buffer.from('{}') });
    const { revision, values } = await this.#world.store.transact(operations);
    this.#tally.writes++;
    if (content === undefined && values[0] === undefined) return;
    this.#facts.push({ revision, path, after: content });
  }

  /** Of each selection something. */
  async #sayLast(): Promise<readonly Fact[]> {
    const before = this.#facts.length;
    for (const namespace of namespaces) {
      for (const color of colors) await this.#commit(`${namespace}/last-${color}`, { labels: { color }, node: 'n1' });
    }
    return this.#facts.slice(before);
  }

  /** Longer on a slow machine, until everything has happened. */
  async #disturb(durationMs: number, clients: readonly EventClient[]): Promise<void> {
    const began = performance.now();
    const isLacking = (): boolean =>
      this.#tally.cuts === 0 || this.#tally.compactions === 0 || clients.every(({ expired }) => expired === 0);
    while (performance.now() - began < (isLacking() ? durationMs + patienceMs : durationMs)) {
      await sleep(20 + this.#chance() * 120);
      const act = this.#chance();
      if (act < 0.35) await this.#compact();
      else if (act < 0.7) this.#cut();
      else if (act < 0.85) await this.#restartServer();
      else if (this.#world.restart !== undefined) await this.#restartStore();
    }
  }

  async #compact(): Promise<void> {
    const newest = this.#facts.reduce((max, { revision }) => Math.max(max, revision), 0);
    const back = this.#chance() < 0.3 ? 0 : Math.floor(this.#chance() * 200);
    if (newest - back <= 0) return;
    await this.#world.store.compact(newest - back);
    this.#tally.compactions++;
  }

  #cut(): void {
    this.#world.cut();
    this.#tally.cuts++;
  }

  async #restartServer(): Promise<void> {
    const index = Math.floor(this.#chance() * this.#servers.length);
    const stopped = this.#servers[index] as Server;
    const [started] = await Promise.all([this.#newServer(), this.#stop(stopped)]);
    this.#servers[index] = started;
    this.#tally.restarts++;
  }

  async #restartStore(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#still = promise;
    await Promise.all(this.#writing);
    await this.#world.restart?.();
    resolve();
    this.#tally.restarts++;
  }

  #reportStuck(clients: readonly EventClient[]): never {
    const stuck = clients.filter((client) => !client.finished).map((client) => client.describe());
    throw new Error(`clients did not come to the end: ${stuck.join('; ')}`);
  }

  #check(client: EventClient): void {
    const facts = this.#facts.toSorted((a, b) => a.revision - b.revision);
    for (const { from, state, got, position } of client.journeys) {
      assert.deepEqual(state, stateAt(facts, from, client.selection), `state at ${from}`);
      assert.deepEqual(got, expectedEvents(facts, { after: from, upTo: position }, client.selection), `events of (${from}, ${position}]`);
      this.#tally.events += got.length;
    }
    this.#tally.watches += client.watches;
    this.#tally.expired += client.expired;
  }
}
