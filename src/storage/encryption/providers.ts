// Upstream: k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go
import type { Clock } from '../../base/clock.ts';
import { AesCbcTransformer, AesGcmTransformer } from './ciphers/aes.ts';
import type { EncryptionConfiguration, KmsConfiguration, NamedKey, ProviderConfiguration } from './configuration.ts';
import { identityTransformer } from './ciphers/identity.ts';
import { KmsEnvelopeTransformer } from './kms/envelope.ts';
import { KmsPlugin } from './kms/plugin.ts';
import { measuredKms } from './kms/measured-service.ts';
import type { KmsProvider } from './kms/provider.ts';
import type { KmsService } from './kms/service.ts';
import { KmsV1EnvelopeTransformer } from './kms/v1-envelope.ts';
import { KmsV1Plugin } from './kms/v1-plugin.ts';
import { connectKmsV1 } from './kms/v1-service.ts';
import type { EncryptionMetrics } from './metrics/encryption-metrics.ts';
import type { PrefixedTransformer } from './prefix-transformer.ts';
import { PrefixTransformer } from './prefix-transformer.ts';
import { SecretboxTransformer } from './ciphers/secretbox.ts';
import type { GroupResource, Transformer } from './ciphers/transformer.ts';
import { decodeBase64, parseGroupResource } from './validation.ts';

export interface ProviderContext {
  readonly clock: Clock;
  readonly connectKms: (endpoint: string, timeoutMs: number) => KmsService;
  /** feature KMSv1 */
  readonly allowsKmsV1: boolean;
  readonly metrics: EncryptionMetrics | undefined;
}

/** What one configuration became. */
export interface BuiltProviders {
  /** by `resource.group`, wildcards included */
  readonly transformers: ReadonlyMap<string, Transformer>;
  readonly plugins: readonly KmsProvider[];
  readonly usesKmsV1: boolean;
  readonly kmsTimeoutSumMs: number;
}

/** Key of the map: the notation of the configuration, except that `*.` is the core group's. */
export function resourceName({ group, resource }: GroupResource): string {
  return group === '' && resource !== '*' ? resource : `${resource}.${group}`;
}

/** Makes the transformers of a valid configuration and starts its KMS plugins. */
export async function buildProviders(configuration: EncryptionConfiguration, context: ProviderContext): Promise<BuiltProviders> {
  const lists = new Map<string, PrefixedTransformer[]>();
  const plugins: KmsProvider[] = [];
  let kmsTimeoutSumMs = 0;
  let usesKmsV1 = false;
  try {
    for (const { resources, providers } of configuration.resources) {
      const transformers: PrefixedTransformer[] = [];
      for (const provider of providers) {
        if (provider.kms === undefined) {
          transformers.push(localTransformer(provider, context.metrics));
          continue;
        }
        const { plugin, ...transformer } = await startPlugin(provider.kms, context);
        plugins.push(plugin);
        // The check of version 1 makes two calls.
        kmsTimeoutSumMs += provider.kms.timeoutMs * (isV1(provider.kms) ? 2 : 1);
        usesKmsV1 ||= isV1(provider.kms);
        transformers.push(transformer);
      }
      for (const resource of resources) addRule(lists, parseGroupResource(resource), transformers);
    }
  } catch (error) {
    for (const plugin of plugins) plugin[Symbol.dispose]();
    throw error;
  }
  const transformers = new Map(
    [...lists].map(([name, list]) => [name, new PrefixTransformer(nonEmpty(list), 'no matching prefix found', context.metrics)]),
  );
  return { transformers, plugins, usesKmsV1, kmsTimeoutSumMs };
}

/** Later rules may add providers to a resource, but not hide behind an earlier wildcard. */
function addRule(lists: Map<string, PrefixedTransformer[]>, resource: GroupResource, transformers: readonly PrefixedTransformer[]): void {
  const name = resourceName(resource);
  for (const wildcard of [resourceName({ group: resource.group, resource: '*' }), '*.*']) {
    if (lists.has(wildcard)) throw new Error(`resource ${JSON.stringify(name)} is masked by earlier rule ${JSON.stringify(wildcard)}`);
  }
  lists.set(name, [...(lists.get(name) ?? []), ...transformers]);
}

function localTransformer(provider: ProviderConfiguration, metrics: EncryptionMetrics | undefined): PrefixedTransformer {
  const { aesgcm, aescbc, secretbox } = provider;
  if (aesgcm !== undefined) return keyed('aesgcm', 'AES', aesgcm.keys, metrics, (key) => new AesGcmTransformer(key));
  if (aescbc !== undefined) return keyed('aescbc', 'AES', aescbc.keys, metrics, (key) => new AesCbcTransformer(key));
  if (secretbox !== undefined) return keyed('secretbox', 'Secretbox', secretbox.keys, metrics, (key) => new SecretboxTransformer(key));
  return { prefix: Buffer.alloc(0), transformer: identityTransformer };
}

/** Two prefixes: the provider's, then the key's name. */
function keyed(
  provider: string,
  title: string,
  keys: readonly NamedKey[],
  metrics: EncryptionMetrics | undefined,
  make: (key: Buffer) => Transformer,
): PrefixedTransformer {
  const transformers = keys.map(({ name, secret }) => {
    const key = decodeBase64(secret);
    if (key === undefined) throw new Error(`could not obtain secret for named key ${name}: it is not base64`);
    return { prefix: Buffer.from(`${name}:`), transformer: make(key) };
  });
  return {
    prefix: Buffer.from(`k8s:enc:${provider}:v1:`),
    transformer: new PrefixTransformer(nonEmpty(transformers), `no matching key was found for the provided ${title} transformer`, metrics),
  };
}

function isV1(kms: KmsConfiguration): boolean {
  return kms.apiVersion === 'v1';
}

async function startPlugin(
  kms: KmsConfiguration,
  context: ProviderContext,
): Promise<PrefixedTransformer & { readonly plugin: KmsProvider }> {
  const { clock, connectKms, metrics } = context;
  const prefix = Buffer.from(`k8s:enc:kms:${kms.apiVersion}:${kms.name}:`);
  if (!isV1(kms)) {
    const service = connectKms(kms.endpoint, kms.timeoutMs);
    const plugin = new KmsPlugin(kms.name, metrics === undefined ? service : measuredKms(service, kms.name, metrics), clock, metrics);
    await plugin.start();
    return { prefix, transformer: new KmsEnvelopeTransformer(plugin, clock, metrics), plugin };
  }
  if (!context.allowsKmsV1) {
    throw new Error(
      'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
    );
  }
  const service = connectKmsV1(kms.endpoint, kms.timeoutMs);
  const transformer = new KmsV1EnvelopeTransformer(service, kms.cachesize ?? 0, metrics);
  return { prefix, transformer, plugin: new KmsV1Plugin(kms.name, service, clock) };
}

function nonEmpty<T>(list: readonly T[]): readonly [T, ...T[]] {
  if (list.length === 0) throw new Error('at least one provider is required');
  return list as readonly [T, ...T[]];
}
