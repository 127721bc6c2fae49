// Upstream: k8s.io/apiserver/pkg/apis/apiserver/validation/validation_encryption.go
import type { FieldError } from '../../machinery/field.ts';
import { FieldPath, LiteralValue, invalid, required } from '../../machinery/field.ts';
import { goJson, goQuote } from '../../machinery/go-format.ts';
import type { EncryptionConfiguration, KmsConfiguration, NamedKey, ProviderConfiguration } from './configuration.ts';
import type { GroupResource } from './ciphers/transformer.ts';

const aesKeySizes = Object.freeze([16, 24, 32]);
const secretboxKeySizes = Object.freeze([32]);

/** Stored, but not by an API whose values could be encrypted. */
const withoutApi: ReadonlySet<string> = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

/** `reload`: names of KMS providers must be unique even for version 1. */
export function validateEncryptionConfiguration(configuration: EncryptionConfiguration, reload: boolean): FieldError[] {
  const root = FieldPath.root('resources');
  if (configuration.resources.length === 0) return [required(root, atLeastOne(root))];
  const kmsNames = new Set<string>();
  return configuration.resources.flatMap(({ resources, providers }, i) => {
    const resourcesPath = root.index(i).child('resources');
    const providersPath = root.index(i).child('providers');
    const errors: FieldError[] = [];
    if (resources.length === 0) errors.push(required(resourcesPath, atLeastOne(resourcesPath)));
    errors.push(
      ...validateOverlap(resources, resourcesPath),
      ...resources.flatMap((name, j) => validateResourceName(name, resourcesPath.index(j))),
    );
    if (providers.length === 0) errors.push(required(providersPath, atLeastOne(providersPath)));
    providers.forEach((provider, j) => errors.push(...validateProvider(provider, providersPath.index(j), kmsNames, reload)));
    return errors;
  });
}

/** `secrets`, `pandas.example.com`, `*.`, `*.apps`, `*.*`. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

function atLeastOne(what: FieldPath | string): string {
  return `at least one ${what} is required`;
}

function validateOverlap(names: readonly string[], path: FieldPath): FieldError[] {
  const parsed = names.map(parseGroupResource);
  let duplicate = false;
  let overlap = false;
  parsed.forEach((one, i) => {
    parsed.forEach((other, j) => {
      if (i === j) return;
      if (one.group === other.group && one.resource === other.resource && !duplicate) duplicate = true;
      else if (one.group === '*' && one.resource === '*') overlap = true;
      else if (one.group === other.group && (one.resource === '*' || other.resource === '*')) overlap = true;
    });
  });
  const errors: FieldError[] = [];
  if (duplicate) errors.push(invalid(path, names, 'the same resource cannot be specified multiple times'));
  if (overlap) {
    const detail = "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
    errors.push(invalid(path, names, detail));
  }
  return errors;
}

function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const problem = resourceNameProblem(name);
  return problem === undefined ? [] : [invalid(path, name, problem)];
}

function resourceNameProblem(name: string): string | undefined {
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (withoutApi.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseGroupResource(name);
  if (group === 'events.k8s.io') {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}

function validateProvider(provider: ProviderConfiguration, path: FieldPath, kmsNames: Set<string>, reload: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const count = Object.keys(provider).length;
  if (count === 0) {
    errors.push(
      invalid(
        path,
        internalForm(provider),
        'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity',
      ),
    );
  } else if (count > 1) {
    const detail = 'more than one provider specified in a single element, should split into different list elements';
    errors.push(invalid(path, internalForm(provider), detail));
  }
  if (provider.kms !== undefined) {
    errors.push(...validateKms(provider.kms, path.child('kms'), kmsNames, reload));
    kmsNames.add(provider.kms.name);
  } else if (provider.aesgcm !== undefined) {
    errors.push(...validateKeys(provider.aesgcm.keys, path.child('aesgcm', 'keys'), aesKeySizes));
  } else if (provider.aescbc !== undefined) {
    errors.push(...validateKeys(provider.aescbc.keys, path.child('aescbc', 'keys'), aesKeySizes));
  } else if (provider.secretbox !== undefined) {
    errors.push(...validateKeys(provider.secretbox.keys, path.child('secretbox', 'keys'), secretboxKeySizes));
  }
  return errors;
}

/** Upstream prints its internal struct as JSON; we do too, but never a secret. */
function internalForm(provider: ProviderConfiguration): LiteralValue {
  const keys = (value: { readonly keys: readonly NamedKey[] } | undefined): unknown =>
    value === undefined ? null : { Keys: value.keys.map(({ name }) => ({ Name: name, Secret: 'REDACTED' })) };
  const kms = provider.kms && {
    APIVersion: provider.kms.apiVersion,
    Name: provider.kms.name,
    CacheSize: provider.kms.cachesize ?? null,
    Endpoint: provider.kms.endpoint,
    Timeout: provider.kms.timeout,
  };
  const identity = provider.identity === undefined ? 'null' : '{}';
  return new LiteralValue(
    `{"AESGCM":${goJson(keys(provider.aesgcm))},"AESCBC":${goJson(keys(provider.aescbc))},"Secretbox":${goJson(keys(provider.secretbox))},` +
      `"Identity":${identity},"KMS":${kms === undefined ? 'null' : JSON.stringify(kms)}}`,
  );
}

function validateKeys(keys: readonly NamedKey[], path: FieldPath, sizes: readonly number[]): FieldError[] {
  if (keys.length === 0) return [required(path, atLeastOne('keys'))];
  return keys.flatMap((key, i) => validateKey(key, path.index(i), sizes));
}

function validateKey(key: NamedKey, path: FieldPath, sizes: readonly number[]): FieldError[] {
  const errors: FieldError[] = [];
  if (key.name === '') errors.push(required(path.child('name'), 'name is a mandatory field for a key'));
  if (key.secret === '') return [...errors, required(path.child('secret'), 'secret is a mandatory field for a key')];
  const secret = decodeBase64(key.secret);
  if (secret === undefined) return [...errors, invalid(path.child('secret'), 'REDACTED', 'secrets must be base64 encoded')];
  if (!sizes.includes(secret.length)) {
    const detail = `secret is not of the expected length, got ${secret.length}, expected one of [${sizes.join(' ')}]`;
    errors.push(invalid(path.child('secret'), 'REDACTED', detail));
  }
  return errors;
}

/** Standard base64 with padding, line breaks allowed; undefined for anything else. Node alone would skip what it does not know. */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = text.replaceAll(/[\r\n]/g, '');
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact) ? Buffer.from(compact, 'base64') : undefined;
}

function validateKms(kms: KmsConfiguration, path: FieldPath, names: ReadonlySet<string>, reload: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const namePath = path.child('name');
  const isV1 = kms.apiVersion === 'v1';
  if (kms.name === '') errors.push(required(namePath, 'name is a mandatory field for a provider'));
  if (!isV1 && kms.name.includes(':'))
    errors.push(invalid(namePath, kms.name, `invalid KMS provider name ${kms.name}, must not contain ':'`));
  if ((reload || !isV1) && names.has(kms.name)) {
    errors.push(invalid(namePath, kms.name, `duplicate KMS provider name ${kms.name}, names must be unique`));
  }
  if (kms.timeoutMs <= 0) errors.push(invalid(path.child('timeout'), kms.timeout, 'timeout should be a positive value'));
  errors.push(...validateKmsEndpoint(kms.endpoint, path.child('endpoint')));
  const cachePath = path.child('cachesize');
  if (!isV1 && kms.cachesize !== undefined) errors.push(invalid(cachePath, kms.cachesize, 'cachesize is not supported in v2'));
  if (isV1 && kms.cachesize === 0) errors.push(invalid(cachePath, 0, 'cachesize should be a positive value, or negative to disable'));
  if (!isV1 && kms.apiVersion !== 'v2') {
    const detail = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    errors.push(invalid(path.child('apiVersion'), kms.apiVersion, detail));
  }
  return errors;
}

function validateKmsEndpoint(endpoint: string, path: FieldPath): FieldError[] {
  if (endpoint === '') return [invalid(path, '', 'endpoint is a mandatory field for a kms')];
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(endpoint)?.[1]?.toLowerCase() ?? '';
  if (scheme === '' && (endpoint.startsWith(':') || endpoint.includes('://'))) {
    return [invalid(path, endpoint, `invalid endpoint for kms provider, error: parse ${goQuote(endpoint)}: missing protocol scheme`)];
  }
  if (scheme !== 'unix') return [invalid(path, endpoint, `unsupported scheme ${goQuote(scheme)} for KMS provider, only unix is supported`)];
  return [];
}
