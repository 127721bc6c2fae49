// Upstream: k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go
import type { Clock } from '../../../base/clock.ts';
import type { KmsProvider } from './provider.ts';
import { CheckError, RememberedCheck } from './provider.ts';
import type { KmsV1Service } from './v1-service.ts';

const ping = Buffer.from('ping');

/** A plugin of KMS v1 is well when it gives back what it encrypted. */
export class KmsV1Plugin implements KmsProvider {
  readonly #name: string;
  readonly #service: KmsV1Service;
  readonly #remembered: RememberedCheck;

  constructor(name: string, service: KmsV1Service, clock: Clock) {
    this.#name = name;
    this.#service = service;
    this.#remembered = new RememberedCheck(() => this.#ask(), clock);
  }

  check(): Promise<void> {
    return this.#remembered.check();
  }

  [Symbol.dispose](): void {
    this.#service[Symbol.dispose]();
  }

  async #ask(): Promise<void> {
    const failed = (section: string) => (error: unknown) => {
      throw new CheckError(`failed to perform ${section} section of the healthz check for KMS Provider ${this.#name}`, error);
    };
    const sealed = await this.#service.encrypt(ping).catch(failed('encrypt'));
    await this.#service.decrypt(sealed).catch(failed('decrypt'));
  }
}
