/** A KMS plugin for tests, of both versions of the protocol, on a real unix socket. Its "encryption" is a reversible scramble, its moods are fields. */
import { ProtoReader, ProtoWriter } from '../../src/base/grpc/protobuf.ts';
import { GrpcError, statusCode } from '../../src/base/grpc/status.ts';
import { TestServer, unary } from './grpc-server.ts';

export class FakePlugin implements AsyncDisposable {
  keyId = 'key-1';
  healthz = 'ok';
  version = 'v2';
  v1Version = 'v1beta1';
  asked = 0;
  broken = false;
  encrypted = 0;
  decrypted = 0;
  readonly #server: TestServer;

  constructor() {
    const handlers = {
      '/v2.KeyManagementService/Status': unary(() => {
        this.#assertWorks();
        return new ProtoWriter().string(1, this.version).string(2, this.healthz).string(3, this.keyId).finish();
      }),
      '/v2.KeyManagementService/Encrypt': unary((message) => {
        this.#assertWorks();
        this.encrypted++;
        const ciphertext = scramble(fieldOf(message, 1), this.keyId);
        const annotation = (entry: ProtoWriter): void => void entry.string(1, 'note.example.com').string(2, this.keyId);
        return new ProtoWriter().bytes(1, ciphertext).string(2, this.keyId).message(3, annotation).finish();
      }),
      '/v2.KeyManagementService/Decrypt': unary((message) => {
        this.#assertWorks();
        this.decrypted++;
        return new ProtoWriter().bytes(1, scramble(fieldOf(message, 1), fieldOf(message, 3).toString())).finish();
      }),
      '/v1beta1.KeyManagementService/Version': unary(() => {
        this.#assertWorks();
        this.asked++;
        return new ProtoWriter().string(1, this.v1Version).string(2, 'fake').string(3, '0.0.1').finish();
      }),
      '/v1beta1.KeyManagementService/Encrypt': unary((message) => {
        this.#assertWorks();
        this.encrypted++;
        return new ProtoWriter().bytes(1, scramble(fieldOf(message, 2), this.keyId)).finish();
      }),
      '/v1beta1.KeyManagementService/Decrypt': unary((message) => {
        this.#assertWorks();
        this.decrypted++;
        return new ProtoWriter().bytes(1, scramble(fieldOf(message, 2), this.keyId)).finish();
      }),
    };
    this.#server = new TestServer(handlers);
  }

  listen(path: string): Promise<number> {
    return this.#server.listen({ path });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  #assertWorks(): void {
    if (this.broken) throw new GrpcError(statusCode.internal, 'the vault is sealed');
  }
}

function scramble(bytes: Buffer, keyId: string): Buffer {
  const pad = Buffer.from(keyId);
  return Buffer.from(bytes.map((byte, i) => byte ^ (pad[i % pad.length] as number)));
}

function fieldOf(message: Buffer, wanted: number): Buffer {
  const reader = new ProtoReader(message);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === wanted) return reader.bytes();
    reader.skip();
  }
  return Buffer.alloc(0);
}
