import type { EncryptionMetrics } from '../metrics/encryption-metrics.ts';
import type { KmsService } from './service.ts';

/** A key service, with how long its calls take and how they end. */
export function measuredKms(service: KmsService, provider: string, metrics: EncryptionMetrics): KmsService {
  const called = <T>(method: string, call: () => Promise<T>): Promise<T> =>
    metrics.called(provider, `/v2.KeyManagementService/${method}`, call);
  return {
    status: () => called('Status', () => service.status()),
    encrypt: (uid, plaintext) => called('Encrypt', () => service.encrypt(uid, plaintext)),
    decrypt: (uid, sealed) => called('Decrypt', () => service.decrypt(uid, sealed)),
    [Symbol.dispose]: () => service[Symbol.dispose](),
  };
}
