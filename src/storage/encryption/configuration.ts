// Upstream: pkg/apis/apiserver/v1/{types_encryption,defaults,register}.go
import { readYaml } from '../../machinery/codec/yaml/read.ts';
import { goQuote } from '../../machinery/go-format.ts';

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

/** The shape of the file, for strict decoding: the name in Go is only for messages. */
type Shape = 'string' | 'int32' | { readonly list: Shape } | { readonly name: string; readonly fields: Readonly<Record<string, Shape>> };

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
  const unknown = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
  checkShape(document, configurationShape, { typeName: '', dotted: '', indexed: '' }, unknown);
  if (unknown.length > 0) throw new Error(`strict decoding error: ${unknown.join(', ')}`);
  const { resources } = document as unknown as { resources?: readonly RawResource[] | null };
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
    timeoutMs: parseDuration(timeout),
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

interface Place {
  readonly typeName: string;
  /** as type errors show it: without indexes */
  readonly dotted: string;
  /** as unknown fields show it: with indexes */
  readonly indexed: string;
}

/** Throws for a value of the wrong type; collects fields that do not exist. */
function checkShape(value: unknown, shape: Shape, place: Place, unknown: string[]): void {
  if (value === null || value === undefined) return;
  if (typeof shape === 'string') {
    const fits = shape === 'string' ? typeof value === 'string' : Number.isInteger(value);
    if (!fits)
      throw new Error(`json: cannot unmarshal ${jsonType(value)} into Go struct field ${place.typeName}.${place.dotted} of type ${shape}`);
    return;
  }
  if ('list' in shape) {
    if (!Array.isArray(value))
      throw new Error(
        `json: cannot unmarshal ${jsonType(value)} into Go struct field ${place.typeName}.${place.dotted} of type ${goListType(shape.list)}`,
      );
    value.forEach((item, i) => checkShape(item, shape.list, { ...place, indexed: `${place.indexed}[${i}]` }, unknown));
    return;
  }
  if (!isRecord(value)) {
    throw new Error(
      `json: cannot unmarshal ${jsonType(value)} into Go struct field ${place.typeName}.${place.dotted} of type v1.${shape.name}`,
    );
  }
  for (const [name, child] of Object.entries(value)) {
    const fieldShape = shape.fields[name];
    const join = (path: string): string => (path === '' ? name : `${path}.${name}`);
    const childPlace = { typeName: shape.name, dotted: join(place.dotted), indexed: join(place.indexed) };
    if (fieldShape === undefined) unknown.push(`unknown field ${goQuote(childPlace.indexed)}`);
    else checkShape(child, fieldShape, childPlace, unknown);
  }
}

function goListType(item: Shape): string {
  return typeof item === 'object' && 'name' in item ? `[]v1.${item.name}` : '[]string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonType(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}

const unitMs: Readonly<Record<string, number>> = Object.freeze({
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
});

/** Go's notation: `1m30s`, `-2.5h`, `0`. */
export function parseDuration(text: string): number {
  const match = /^([+-]?)((?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.exec(text);
  if (text === '0') return 0;
  if (match === null) {
    if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) throw new Error(`time: missing unit in duration ${goQuote(text)}`);
    throw new Error(`time: invalid duration ${goQuote(text)}`);
  }
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g))
    total += Number(amount) * (unitMs[unit as string] as number);
  return match[1] === '-' ? -total : total;
}
