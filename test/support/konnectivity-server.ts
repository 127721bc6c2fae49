/** A konnectivity server that makes the connections itself, for tests. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { ProtoReader, ProtoWriter } from '../../src/base/grpc/protobuf.ts';
import { decodePacket, packetType } from '../../src/base/egress/konnectivity.ts';
import { TestServer } from './grpc-server.ts';
import type { ServerCall } from './grpc-server.ts';

export class KonnectivityServer implements AsyncDisposable {
  readonly asked: string[] = [];
  /** what it says to those who ask; '' for that it has connected */
  error = '';
  #ids = 0n;
  readonly #server = new TestServer({ '/ProxyService/Proxy': (call) => this.#serve(call) });

  async listen(path: string): Promise<void> {
    await this.#server.listen({ path });
  }

  async #serve(call: ServerCall): Promise<void> {
    let socket: Socket | undefined;
    const id = ++this.#ids;
    const send = (type: number, field: number, write: (message: ProtoWriter) => void): void =>
      call.send(new ProtoWriter().int(1, type).message(field, write).finish());
    for await (const message of call.messages) {
      const packet = decodePacket(message);
      if (packet.type === packetType.dialRequest) {
        const address = addressIn(message);
        this.asked.push(address);
        if (this.error !== '') {
          send(packetType.dialResponse, 3, (response) => response.string(1, this.error).bigInt(3, packet.random));
          continue;
        }
        const at = address.lastIndexOf(':');
        const opened = (socket = connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)) }));
        opened.on('connect', () => send(packetType.dialResponse, 3, (response) => response.bigInt(2, id).bigInt(3, packet.random)));
        opened.on('data', (data: Buffer) => send(packetType.data, 4, (sent) => sent.bigInt(1, id).bytes(3, data)));
        opened.on('close', () => {
          if (!call.stream.closed) send(packetType.closeResponse, 6, (response) => response.bigInt(2, id));
        });
        opened.on('error', () => undefined);
      } else if (packet.type === packetType.data) socket?.write(packet.data);
      else if (packet.type === packetType.closeRequest) socket?.end();
    }
    socket?.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

function addressIn(message: Buffer): string {
  const reader = new ProtoReader(message);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field !== 2) {
      reader.skip();
      continue;
    }
    const request = reader.message();
    for (let inner = request.next(); inner !== 0; inner = request.next()) {
      if (inner === 2) return request.string();
      request.skip();
    }
  }
  throw new Error('a dial request without an address');
}
