// Upstream: k8s.io/apiserver/pkg/apis/apiserver/v1/{types_encryption,defaults,register}.go
import { readYaml } from '../../machinery/codec/yaml/read.ts';
import { parseDuration } from '../../machinery/duration.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { Shape } from '../../machinery/strict-shape.ts';
import { unknownFields } from '../../machinery/strict-shape.ts';

/** `EncryptionConfiguration` of apiserver.config.k8s.io/v1, with defaults filled in. */
export interface EncryptionConfiguration {
  readonly resources: readonly ResourceConfiguration[];
}

export interface ResourceConfiguration {
  readonly resources: readonly string[];
  readonly providers: readonly ProviderConfiguration[];
}

/** Exactly one of the fields is set in a valid one. */
export interface ProviderConfiguration {
  readonly aesgcm?: KeysConfiguration;
  readonly aescbc?: KeysConfiguration;
  readonly secretbox?: KeysConfiguration;
  readonly identity?: Readonly<Record<string, never>>;
  readonly kms?: KmsConfiguration;
}

export interface KeysConfiguration {
  readonly keys: readonly NamedKey[];
}

export interface NamedKey {
  readonly name: string;
  /** base64 */
  readonly secret: string;
}

export interface KmsConfiguration {
  readonly apiVersion: string;
  readonly name: string;
  readonly cachesize?: number;
  readonly endpoint: string;
  /** as written, for messages */
  readonly timeout: string;
  readonly timeoutMs: number;
}

const keysShape: Shape = {
  name: 'AESConfiguration',
  fields: { keys: { list: { name: 'Key', fields: { name: 'string', secret: 'string' } } } },
};

const providerShape: Shape = {
  name: 'ProviderConfiguration',
  fields: {
    aesgcm: keysShape,
    aescbc: keysShape,
    secretbox: { ...keysShape, name: 'SecretboxConfiguration' },
    identity: { name: 'IdentityConfiguration', fields: {} },
    kms: {
      name: 'KMSConfiguration',
      fields: { apiVersion: 'string', name: 'string', cachesize: 'int32', endpoint: 'string', timeout: 'string' },
    },
  },
};

const configurationShape: Shape = {
  name: 'EncryptionConfiguration',
  fields: {
    kind: 'string',
    apiVersion: 'string',
    resources: { list: { name: 'ResourceConfiguration', fields: { resources: { list: 'string' }, providers: { list: providerShape } } } },
  },
};

/** Reads YAML or JSON. Throws, with upstream's text, for what is not exactly such a configuration; secrets never show in the text. */
export function parseEncryptionConfiguration(text: string): EncryptionConfiguration {
  const { value: document, duplicates } = readYaml(text);
  if (!isRecord(document)) throw new Error("couldn't get version/kind; json parse error: the file holds no object");
  checkKind(document['apiVersion'], document['kind']);
  const repeated = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
  const unknown = [...repeated, ...unknownFields(document, configurationShape)];
  if (unknown.length > 0) throw new Error(`strict decoding error: ${unknown.join(', ')}`);
  const { resources } = document as { resources?: readonly RawResource[] | null };
  return { resources: (resources ?? []).map(withDefaults) };
}

interface RawResource {
  readonly resources?: readonly string[] | null;
  readonly providers?: readonly RawProvider[] | null;
}

type RawProvider = Omit<ProviderConfiguration, 'kms'> & { readonly kms?: Partial<KmsConfiguration> };

function withDefaults(raw: RawResource): ResourceConfiguration {
  return { resources: raw.resources ?? [], providers: (raw.providers ?? []).map(withProviderDefaults) };
}

function withProviderDefaults(raw: RawProvider): ProviderConfiguration {
  const { kms, ...rest } = raw;
  const present = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  const provider = Object.fromEntries(
    present.map(([name, value]) => [name, name === 'identity' ? {} : withKeyDefaults(value as Partial<KeysConfiguration>)]),
  );
  return kms === undefined || kms === null ? provider : { ...provider, kms: withKmsDefaults(kms) };
}

function withKeyDefaults(raw: Partial<KeysConfiguration>): KeysConfiguration {
  return { keys: (raw.keys ?? []).map(({ name, secret }) => ({ name: name ?? '', secret: secret ?? '' })) };
}

function withKmsDefaults(raw: Partial<KmsConfiguration>): KmsConfiguration {
  const apiVersion = raw.apiVersion || 'v1';
  const timeout = raw.timeout ?? '3s';
  // The size of a cache that only version 1 has.
  const cachesize = raw.cachesize ?? (apiVersion === 'v1' ? 1000 : undefined);
  return {
    apiVersion,
    name: raw.name ?? '',
    endpoint: raw.endpoint ?? '',
    timeout,
    timeoutMs: Number(parseDuration(timeout)) / 1e6,
    ...(cachesize !== undefined && { cachesize }),
  };
}

function checkKind(apiVersion: unknown, kind: unknown): void {
  if (kind === undefined || kind === '') throw new Error("Object 'Kind' is missing in the configuration");
  if (apiVersion === undefined || apiVersion === '') throw new Error("Object 'apiVersion' is missing in the configuration");
  if (apiVersion === 'apiserver.config.k8s.io/v1' && kind === 'EncryptionConfiguration') return;
  // Quirk: a name that old documentation gave by mistake.
  if (apiVersion === 'v1' && kind === 'EncryptionConfig') return;
  throw new Error(
    `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
