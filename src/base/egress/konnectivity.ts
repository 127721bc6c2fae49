// Upstream: sigs.k8s.io/apiserver-network-proxy/konnectivity-client/pkg/client/client.go
// Upstream: sigs.k8s.io/apiserver-network-proxy/konnectivity-client/proto/client/client.proto
import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import type { GrpcStream } from '../grpc/call.ts';
import { Channel } from '../grpc/channel.ts';
import { ProtoReader, ProtoWriter } from '../grpc/protobuf.ts';
import type { Dial } from '../https/dial.ts';
import { hostPort } from '../https/dial.ts';
import { ProxyStageError } from './stages.ts';

const method = '/ProxyService/Proxy';
export const packetType = { dialRequest: 0, dialResponse: 1, closeRequest: 2, closeResponse: 3, data: 4, dialClosed: 5 } as const;
const dialTimeoutMs = 30_000;
/** of data in one packet; gRPC servers refuse messages of more than 4 MB */
const maxDataBytes = 1 << 20;

/** What a packet has, of all that it may have. Ids are 64 bits. */
export interface Packet {
  readonly type: number;
  readonly id: bigint;
  readonly random: bigint;
  readonly error: string;
  readonly data: Buffer;
}

/** Connections through a konnectivity server on a socket of this machine: a stream each, on one gRPC connection. */
export function konnectivityDial(socketPath: string): Dial & Disposable {
  const channel = new Channel({ endpoints: [`unix://${socketPath}`], maxReceiveBytes: 0x7fffffff });
  const dial: Dial = async (address, signal) => {
    const stream = await channel.stream(method, { connectTimeoutMs: dialTimeoutMs });
    const tunnel = new Tunnel(stream);
    try {
      await tunnel.open(hostPort(address), signal);
      return tunnel;
    } catch (error) {
      tunnel.destroy();
      throw new ProxyStageError((error as Error).message, { cause: error });
    }
  };
  return Object.assign(dial, { [Symbol.dispose]: () => channel[Symbol.dispose]() });
}

/** One connection that the server behind makes for us. */
class Tunnel extends Duplex {
  readonly #stream: GrpcStream;
  readonly #packets: AsyncIterator<readonly Buffer[]>;
  readonly #random = BigInt.asUintN(63, randomBytes(8).readBigUInt64LE());
  #id = 0n;
  #batch: readonly Buffer[] = [];
  #isReading = false;

  constructor(stream: GrpcStream) {
    super({ allowHalfOpen: false });
    this.#stream = stream;
    this.#packets = stream[Symbol.asyncIterator]();
  }

  async open(address: string, signal: AbortSignal | undefined): Promise<void> {
    await this.#stream.send(dialRequest(address, this.#random));
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('dial timeout, backstop')), dialTimeoutMs);
    const abort = (): void => late.reject(new Error('dial timeout, context'));
    signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#id = await Promise.race([this.#answered(), late.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #answered(): Promise<bigint> {
    for (;;) {
      const packet = await this.#next();
      if (packet === undefined) throw new Error('tunnel closed');
      if (packet.type === packetType.dialClosed && packet.random === this.#random) throw new Error('dial closed');
      if (packet.type !== packetType.dialResponse || packet.random !== this.#random) continue;
      if (packet.error !== '') throw new Error(packet.error);
      return packet.id;
    }
  }

  async #next(): Promise<Packet | undefined> {
    while (this.#batch.length === 0) {
      const { value, done } = await this.#packets.next();
      if (done === true) return undefined;
      this.#batch = value;
    }
    const [message, ...rest] = this.#batch;
    this.#batch = rest;
    return decodePacket(message as Buffer);
  }

  /** Packets are read only as fast as they are wanted: HTTP/2 slows the server down. */
  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readOn().then(
      () => (this.#isReading = false),
      (error: Error) => this.destroy(error),
    );
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const packet = await this.#next();
      if (packet === undefined || packet.type === packetType.closeResponse) {
        this.push(null);
        return;
      }
      if (packet.type !== packetType.data || packet.id !== this.#id) continue;
      if (packet.error !== '') throw new Error(packet.error);
      if (packet.data.length > 0 && !this.push(packet.data)) return;
    }
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    void this.#sendAll(chunk).then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  async #sendAll(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += maxDataBytes) {
      await this.#stream.send(dataPacket(this.#id, chunk.subarray(at, at + maxDataBytes)));
    }
  }

  override _final(done: (error?: Error | null) => void): void {
    void this.#stream.send(closeRequest(this.#id)).then(
      () => done(),
      (error: Error) => done(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const sent = this.#id === 0n ? this.#stream.send(dialClosed(this.#random)) : this.#stream.send(closeRequest(this.#id));
    // The stream may be gone already, which is what is asked for.
    void sent.catch(() => undefined).finally(() => this.#stream.cancel());
    done(error);
  }
}

function packet(type: number, field: number, write: (message: ProtoWriter) => void): Buffer {
  return new ProtoWriter().int(1, type).message(field, write).finish();
}

function dialRequest(address: string, random: bigint): Buffer {
  return packet(packetType.dialRequest, 2, (message) => message.string(1, 'tcp').string(2, address).bigInt(3, random));
}

function dataPacket(id: bigint, data: Buffer): Buffer {
  return packet(packetType.data, 4, (message) => message.bigInt(1, id).bytes(3, data));
}

function closeRequest(id: bigint): Buffer {
  return packet(packetType.closeRequest, 5, (message) => message.bigInt(1, id));
}

function dialClosed(random: bigint): Buffer {
  return packet(packetType.dialClosed, 7, (message) => message.bigInt(1, random));
}

/** Of each payload, by the number of its field: which of its fields are what. */
const layouts: Readonly<Record<number, Readonly<Record<number, 'id' | 'random' | 'error' | 'data'>>>> = {
  2: { 3: 'random' },
  3: { 1: 'error', 2: 'id', 3: 'random' },
  4: { 1: 'id', 2: 'error', 3: 'data' },
  5: { 1: 'id' },
  6: { 1: 'error', 2: 'id' },
  7: { 1: 'random' },
};

export function decodePacket(message: Buffer): Packet {
  const packet: { -readonly [K in keyof Packet]: Packet[K] } = { type: 0, id: 0n, random: 0n, error: '', data: Buffer.alloc(0) };
  const reader = new ProtoReader(message);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    const layout = layouts[field];
    if (field === 1) packet.type = reader.int();
    else if (layout === undefined) reader.skip();
    else {
      const payload = reader.message();
      for (let inner = payload.next(); inner !== 0; inner = payload.next()) {
        const what = layout[inner];
        if (what === undefined) payload.skip();
        else if (what === 'error') packet.error = payload.string();
        else if (what === 'data') packet.data = payload.bytes();
        else packet[what] = payload.bigInt();
      }
    }
  }
  return packet;
}
