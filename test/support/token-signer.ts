/** A process that signs tokens of service accounts, for tests: it keeps what it says where tests can change it. */
import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, sign } from 'node:crypto';
import { ProtoReader, ProtoWriter } from '../../src/base/grpc/protobuf.ts';
import { TestServer } from './grpc-server.ts';
import type { ServerCall } from './grpc-server.ts';

export interface SignerKey {
  readonly id: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  isUndiscoverable: boolean;
}

export function signerKey(id: string, isUndiscoverable = false): SignerKey {
  return { id, isUndiscoverable, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

export class TokenSigner implements AsyncDisposable {
  keys: SignerKey[] = [signerKey('one')];
  refreshSeconds = 3600;
  maxTokenSeconds = 7200;
  /** what the header of tokens says besides `alg`, or instead of it */
  header: Record<string, unknown> = { typ: 'JWT' };
  fetched = 0;
  readonly #server = new TestServer({
    '/v1.ExternalJWTSigner/Sign': (call) => this.#sign(call),
    '/v1.ExternalJWTSigner/FetchKeys': async (call) => this.#fetchKeys(call),
    '/v1.ExternalJWTSigner/Metadata': async (call) => call.send(new ProtoWriter().int(1, this.maxTokenSeconds).finish()),
  });

  async listen(path: string): Promise<void> {
    await this.#server.listen({ path });
  }

  async #sign(call: ServerCall): Promise<void> {
    const [key] = this.keys;
    if (key === undefined) throw new Error('no key');
    for await (const message of call.messages) {
      const reader = new ProtoReader(message);
      reader.next();
      const claims = reader.string();
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: key.id, ...this.header })).toString('base64url');
      const signature = sign('sha256', Buffer.from(`${header}.${claims}`), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
      call.send(new ProtoWriter().string(1, header).string(2, signature.toString('base64url')).finish());
      return;
    }
  }

  #fetchKeys(call: ServerCall): void {
    this.fetched++;
    const response = new ProtoWriter();
    for (const { id, publicKey, isUndiscoverable } of this.keys) {
      const der = publicKey.export({ type: 'spki', format: 'der' });
      response.message(1, (key) => key.string(1, id).bytes(2, der).bool(3, isUndiscoverable));
    }
    call.send(
      response
        .message(2, (time) => time.int(1, 1_700_000_000))
        .int(3, this.refreshSeconds)
        .finish(),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}
