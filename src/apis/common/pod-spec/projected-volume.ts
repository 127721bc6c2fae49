// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateProjectedVolumeSource
import { append } from '../../../machinery/append.ts';
import { forbidden, invalid, notSupported, required, tooLong } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { annotationsMaxBytes } from '../../../machinery/object-meta-validation.ts';
import { validateDomainPrefixedKey } from '../../../machinery/qualified-names.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { clusterTrustBundleNameProblems, isKubernetesSigner, signerOfTrustBundle, validateSignerName } from '../signer-name.ts';
import { validateDownwardApiFile } from './downward-api.ts';
import type { PodValidationOptions } from './options.ts';
import { validateFileMode, validateLocalNonReservedPath, validateRequired, validateUser } from './rules.ts';
import { validateKeyToPath } from './volume-sources.ts';

const tenMinutes = 600;
const maxTokenSeconds = 2 ** 32;
const minCertificateSeconds = 3600;
const maxCertificateSeconds = 91 * 24 * 3600;
const maxKubernetesCertificateSeconds = 24 * 3600;
const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];

export function validateProjectedVolume(volume: core.ProjectedVolumeSource, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const errors = [
    ...validateFileMode(volume.defaultMode, path.child('defaultMode')),
    ...validateUser(volume.defaultUser, path.child('defaultUser')),
  ];
  const files = new FileNames(path);
  (volume.sources ?? []).forEach((source, index) => {
    append(errors, validateSource(source, path.child('sources').index(index), path, files, options));
  });
  return errors;
}

/** Sources share one directory: no two may write the same file. */
class FileNames {
  readonly #seen = new Set<string>();
  readonly #path: FieldPath;

  constructor(path: FieldPath) {
    this.#path = path;
  }

  claim(file: string, shown: string = file): FieldError[] {
    if (this.#seen.has(file)) return [invalid(this.#path, shown, 'conflicting duplicate paths')];
    this.#seen.add(file);
    return [];
  }
}

function validateSource(
  source: core.VolumeProjection,
  at: FieldPath,
  volumePath: FieldPath,
  files: FileNames,
  options: PodValidationOptions,
): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  const errors: FieldError[] = [];
  if (secret !== undefined) append(errors, validateKeys(secret, at.child('secret'), files));
  if (configMap !== undefined) append(errors, validateKeys(configMap, at.child('configMap'), files));
  for (const file of downwardAPI?.items ?? []) {
    append(errors, validateDownwardApiFile(file, at.child('downwardAPI')));
    if (file.path !== '') append(errors, files.claim(file.path));
  }
  if (serviceAccountToken !== undefined) {
    append(errors, validateToken(serviceAccountToken, at.child('serviceAccountToken'), volumePath, options));
  }
  if (clusterTrustBundle !== undefined) append(errors, validateTrustBundle(clusterTrustBundle, at.child('clusterTrustBundle'), files));
  if (podCertificate !== undefined) append(errors, validateCertificate(podCertificate, at.child('podCertificate'), files));
  const sources = [secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate];
  if (sources.filter((each) => each !== undefined).length > 1) {
    errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
  }
  return errors;
}

function validateKeys({ name = '', items }: core.SecretProjection, path: FieldPath, files: FileNames): FieldError[] {
  const errors = validateRequired(name, path.child('name'));
  (items ?? []).forEach((item, index) => {
    append(errors, validateKeyToPath(item, path.child('items').index(index)));
    if (item.path !== '') append(errors, files.claim(item.path, name));
  });
  return errors;
}

function validateToken(
  token: core.ServiceAccountTokenProjection,
  path: FieldPath,
  volumePath: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const { expirationSeconds: seconds } = token;
  const at = path.child('expirationSeconds');
  if (seconds === undefined) errors.push(required(at, ''));
  else {
    if (seconds < tenMinutes) errors.push(invalid(at, seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > maxTokenSeconds) errors.push(invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  // The file's path is reported at the volume, not at the source.
  if (token.path === '') errors.push(required(volumePath.child('path'), ''));
  else if (!options.allowNonLocalProjectedTokenPath) append(errors, validateLocalNonReservedPath(token.path, volumePath.child('path')));
  return [...errors, ...validateUser(token.user, path.child('user'))];
}

function validateTrustBundle(bundle: core.ClusterTrustBundleProjection, path: FieldPath, files: FileNames): FieldError[] {
  const { name, signerName, labelSelector } = bundle;
  const errors: FieldError[] = [];
  if (name !== undefined && signerName !== undefined) {
    errors.push(invalid(path, internalTrustBundle(bundle), 'only one of name and signerName may be used'));
  } else if (name !== undefined) {
    const at = path.child('name');
    if (name === '') errors.push(required(at, 'must be a valid object name'));
    for (const problem of clusterTrustBundleNameProblems(name, signerOfTrustBundle(name), false)) {
      errors.push(invalid(at, name, `not a valid clustertrustbundlename: ${problem}`));
    }
    if (labelSelector !== undefined) {
      errors.push(invalid(path.child('labelSelector'), labelSelector, 'labelSelector must be unset if name is specified'));
    }
  } else if (signerName !== undefined) {
    if (signerName === '') errors.push(required(path.child('signerName'), 'must be a valid signer name'));
    append(errors, validateSignerName(signerName, path.child('signerName')));
    if (labelSelector !== undefined) append(errors, validateLabelSelector(labelSelector, path.child('labelSelector')));
  } else errors.push(required(path, 'either name or signerName must be specified'));
  append(errors, validateRequired(bundle.path, path.child('path')), validateUser(bundle.user, path.child('user')));
  append(errors, validateLocalNonReservedPath(bundle.path, path.child('path')), files.claim(bundle.path));
  return errors;
}

/** As upstream prints its own type, which has no JSON names. */
function internalTrustBundle(bundle: core.ClusterTrustBundleProjection): object {
  return {
    Name: bundle.name ?? null,
    SignerName: bundle.signerName ?? null,
    LabelSelector: bundle.labelSelector ?? null,
    Optional: bundle.optional ?? null,
    Path: bundle.path,
    User: bundle.user ?? null,
  };
}

function validateCertificate(certificate: core.PodCertificateProjection, path: FieldPath, files: FileNames): FieldError[] {
  const { signerName = '', keyType = '', maxExpirationSeconds: seconds, userAnnotations } = certificate;
  const errors = validateSignerName(signerName, path.child('signerName'));
  if (userAnnotations !== undefined) append(errors, validateUserAnnotations(userAnnotations, path.child('userAnnotations')));
  append(errors, validateUser(certificate.user, path.child('user')));
  if (!keyTypes.includes(keyType)) errors.push(notSupported(path.child('keyType'), keyType, keyTypes));
  if (seconds !== undefined) {
    const at = path.child('maxExpirationSeconds');
    const most = isKubernetesSigner(signerName) ? maxKubernetesCertificateSeconds : maxCertificateSeconds;
    if (seconds < minCertificateSeconds) errors.push(invalid(at, seconds, 'if provided, maxExpirationSeconds must be >= 3600'));
    if (seconds > most) errors.push(invalid(at, seconds, `if provided, maxExpirationSeconds must be <= ${most}`));
  }
  const fields = (['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const).filter((field) => certificate[field]);
  for (const field of fields) {
    const file = certificate[field] as string;
    append(errors, validateLocalNonReservedPath(file, path.child(field)), files.claim(file));
  }
  if (fields.length === 0) {
    errors.push(required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath'));
  }
  return errors;
}

export function validateUserAnnotations(annotations: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const errors = Object.keys(annotations).flatMap((key) => validateDomainPrefixedKey(key.toLowerCase(), path));
  const size = Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > annotationsMaxBytes) errors.push(tooLong(path, annotationsMaxBytes));
  return errors;
}
