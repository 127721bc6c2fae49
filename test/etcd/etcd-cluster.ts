import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EtcdClient } from '../../src/storage/drivers/etcd/client.ts';
import { EtcdProcess, freePort } from './etcd-process.ts';

/**
 * Stands in front of one member's peer address and knows who calls: members say so in a header of their first request. So a cut of one
 * member from the others needs neither root nor a firewall.
 */
class PeerProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Map<Socket, string>();
  readonly #isCut: (from: string) => boolean;

  private constructor(server: Server, port: number, isCut: (from: string) => boolean) {
    this.#server = server;
    this.port = port;
    this.#isCut = isCut;
  }

  static async start(target: number, isCut: (from: string) => boolean): Promise<PeerProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port to be had');
    const proxy = new PeerProxy(server, address.port, isCut);
    server.on('connection', (socket) => proxy.#accept(socket, target));
    return proxy;
  }

  /** Ends the connections that are cut now. */
  enforce(): void {
    for (const [socket, from] of this.#sockets) if (this.#isCut(from)) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  /** Every request is looked at: a connection may begin with one that does not say who calls (a probe). */
  #accept(socket: Socket, target: number): void {
    const onward = connect(target, '127.0.0.1');
    const end = (): void => {
      this.#sockets.delete(socket);
      socket.destroy();
      onward.destroy();
    };
    this.#sockets.set(socket, '');
    socket.on('data', (chunk) => {
      const from = /^(?:GET|POST) .*?x-server-from: *([0-9a-f]+)/is.exec(chunk.toString('latin1', 0, 2048))?.[1];
      if (from !== undefined) this.#sockets.set(socket, from);
      if (this.#isCut(this.#sockets.get(socket) ?? '')) end();
      else onward.write(chunk);
    });
    onward.pipe(socket);
    for (const one of [socket, onward]) one.on('error', end).on('close', end);
  }
}

/** Members of one etcd cluster as processes, with what can happen to them. */
export class EtcdCluster implements AsyncDisposable {
  readonly members: readonly EtcdProcess[];
  readonly #proxies: readonly PeerProxy[];
  readonly #folder: string;
  readonly #cutMembers: Set<number>;
  readonly #ids: Map<string, number>;

  private constructor(
    members: readonly EtcdProcess[],
    proxies: readonly PeerProxy[],
    folder: string,
    cut: Set<number>,
    ids: Map<string, number>,
  ) {
    this.members = members;
    this.#proxies = proxies;
    this.#folder = folder;
    this.#cutMembers = cut;
    this.#ids = ids;
  }

  static async start(size = 3): Promise<EtcdCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'etcd-cluster-'));
    const cut = new Set<number>();
    /** member ids as etcd knows them, to our numbers; filled when the cluster is up */
    const ids = new Map<string, number>();
    const peerPorts = await Promise.all(Array.from({ length: size }, freePort));
    const proxies = await Promise.all(
      peerPorts.map((port, to) =>
        PeerProxy.start(port, (from) => {
          const member = ids.get(from);
          return member !== undefined && (cut.has(member) || cut.has(to));
        }),
      ),
    );
    const names = peerPorts.map((_, i) => `m${i}`);
    const initialCluster = names.map((name, i) => `${name}=http://127.0.0.1:${proxies[i]?.port}`).join(',');
    const members = await Promise.all(
      peerPorts.map((peerPort, i) =>
        EtcdProcess.prepare({
          name: names[i] as string,
          peerPort,
          dataFolder: folder,
          flags: [
            `--initial-cluster=${initialCluster}`,
            `--initial-advertise-peer-urls=http://127.0.0.1:${proxies[i]?.port}`,
            '--initial-cluster-state=new',
            '--heartbeat-interval=50',
            '--election-timeout=500',
          ],
        }),
      ),
    );
    const cluster = new EtcdCluster(members, proxies, folder, cut, ids);
    await Promise.all(members.map((member) => member.start()));
    for (const [i, { memberId }] of (await cluster.#statuses()).entries()) ids.set(memberId.toString(16), i);
    return cluster;
  }

  get endpoints(): readonly string[] {
    return this.members.map(({ endpoint }) => endpoint);
  }

  /** Number of the member that leads, as those say that can be asked. Waits for one. */
  async leader(): Promise<number> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const votes = await Promise.all(
        this.members.map((member, i) => (member.pid === undefined || this.#cutMembers.has(i) ? 0n : this.#leaderBy(i))),
      );
      const leader = votes.find((id) => id !== 0n);
      const member = leader === undefined ? undefined : this.#ids.get(leader.toString(16));
      if (member !== undefined && this.members[member]?.pid !== undefined && !this.#cutMembers.has(member)) return member;
      await sleep(100);
    }
    throw new Error('the cluster has no leader');
  }

  /** Separates a member from the others; clients still reach it. */
  cut(member: number): void {
    this.#cutMembers.add(member);
    for (const proxy of this.#proxies) proxy.enforce();
  }

  heal(): void {
    this.#cutMembers.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map((member) => member[Symbol.asyncDispose]()));
    for (const proxy of this.#proxies) proxy.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #statuses(): Promise<{ memberId: bigint }[]> {
    return Promise.all(
      this.endpoints.map(async (endpoint) => {
        using client = newClient(endpoint);
        return await client.status(endpoint);
      }),
    );
  }

  async #leaderBy(member: number): Promise<bigint> {
    using client = newClient(this.endpoints[member] as string);
    return await client.status(undefined, { timeoutMs: 500 }).then(
      ({ leader }) => leader,
      () => 0n,
    );
  }
}

function newClient(endpoint: string): EtcdClient {
  return new EtcdClient({ endpoints: [endpoint], requestTimeoutMs: 10_000, decodeKey: String });
}
