// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/envelope/grpc_service.go, k8s.io/kms/apis/v1beta1/api.proto
import { Channel } from '../../../base/grpc/channel.ts';
import { ProtoReader, ProtoWriter } from '../../../base/grpc/protobuf.ts';

const protocol = 'v1beta1';

/** A key service of version 1: it knows neither key ids nor a status. */
export interface KmsV1Service extends Disposable {
  encrypt(plain: Buffer): Promise<Buffer>;
  decrypt(cipher: Buffer): Promise<Buffer>;
}

/** A plugin that speaks KMS v1 on a unix socket. Connects when first called, and then asks for its version once. */
export function connectKmsV1(endpoint: string, timeoutMs: number): KmsV1Service {
  const channel = new Channel({ endpoints: [endpoint] });
  let isVersionKnown = false;
  const call = (method: string, message: ProtoWriter, deadline: number): Promise<Buffer> =>
    channel.unary(`/${protocol}.KeyManagementService/${method}`, message.finish(), {
      timeoutMs: Math.max(1, deadline - performance.now()),
    });
  const checkVersion = async (deadline: number): Promise<void> => {
    let response: Buffer;
    try {
      response = await call('Version', new ProtoWriter().string(1, protocol), deadline);
    } catch (error) {
      // Quirk: the status of the call is in the text only, so that metrics count no gRPC code.
      // oxlint-disable-next-line preserve-caught-error
      throw new Error(`failed get version from remote KMS provider: ${error instanceof Error ? error.message : String(error)}`);
    }
    const version = firstBytes(response).toString();
    if (version !== protocol) throw new Error(`KMS provider api version ${version} is not supported, only ${protocol} is supported now`);
    isVersionKnown = true;
  };
  const ask = async (method: string, input: Buffer): Promise<Buffer> => {
    const deadline = performance.now() + timeoutMs;
    if (!isVersionKnown) await checkVersion(deadline);
    return firstBytes(await call(method, new ProtoWriter().string(1, protocol).bytes(2, input), deadline));
  };
  return {
    encrypt: (plain) => ask('Encrypt', plain),
    decrypt: (cipher) => ask('Decrypt', cipher),
    [Symbol.dispose]: () => channel[Symbol.dispose](),
  };
}

/** Every response of the protocol has what is asked for in its first field. */
function firstBytes(message: Buffer): Buffer {
  const reader = new ProtoReader(message);
  let bytes: Buffer = Buffer.alloc(0);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) bytes = reader.bytes();
    else reader.skip();
  }
  return bytes;
}
