// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2/grpc_service.go, k8s.io/kms/apis/v2/api.proto
import { Channel } from '../../../base/grpc/channel.ts';
import { ProtoReader, ProtoWriter } from '../../../base/grpc/protobuf.ts';
import type { Annotations } from './encrypted-object.ts';
import { readAnnotation, writeAnnotations } from './encrypted-object.ts';

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

export interface KmsCiphertext {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly annotations: Annotations;
}

/** A key service: it never shows its keys, but encrypts and decrypts ours. `uid` is for its log. */
export interface KmsService extends Disposable {
  status(): Promise<KmsStatus>;
  encrypt(uid: string, plaintext: Buffer): Promise<KmsCiphertext>;
  decrypt(uid: string, sealed: KmsCiphertext): Promise<Buffer>;
}

/** A plugin that speaks KMS v2 on a unix socket. Connects when first called, and again whenever it must. */
export function connectKms(endpoint: string, timeoutMs: number): KmsService {
  const channel = new Channel({ endpoints: [endpoint] });
  const call = (method: string, message: Buffer): Promise<Buffer> =>
    channel.unary(`/v2.KeyManagementService/${method}`, message, { timeoutMs });
  return {
    async status() {
      const reader = new ProtoReader(await call('Status', Buffer.alloc(0)));
      const status = { version: '', healthz: '', keyId: '' };
      for (let field = reader.next(); field !== 0; field = reader.next()) {
        if (field === 1) status.version = reader.string();
        else if (field === 2) status.healthz = reader.string();
        else if (field === 3) status.keyId = reader.string();
        else reader.skip();
      }
      return status;
    },
    async encrypt(uid, plaintext) {
      const reader = new ProtoReader(await call('Encrypt', new ProtoWriter().bytes(1, plaintext).string(2, uid).finish()));
      const annotations = new Map<string, Buffer>();
      let ciphertext: Buffer = Buffer.alloc(0);
      let keyId = '';
      for (let field = reader.next(); field !== 0; field = reader.next()) {
        if (field === 1) ciphertext = reader.bytes();
        else if (field === 2) keyId = reader.string();
        else if (field === 3) readAnnotation(reader.message(), annotations);
        else reader.skip();
      }
      return { ciphertext, keyId, annotations };
    },
    async decrypt(uid, sealed) {
      const request = new ProtoWriter().bytes(1, sealed.ciphertext).string(2, uid).string(3, sealed.keyId);
      const reader = new ProtoReader(await call('Decrypt', writeAnnotations(request, 4, sealed.annotations).finish()));
      let plaintext: Buffer = Buffer.alloc(0);
      for (let field = reader.next(); field !== 0; field = reader.next()) {
        if (field === 1) plaintext = reader.bytes();
        else reader.skip();
      }
      return plaintext;
    },
    [Symbol.dispose]: () => channel[Symbol.dispose](),
  };
}
