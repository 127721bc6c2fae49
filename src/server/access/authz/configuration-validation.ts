// Upstream: k8s.io/apiserver/pkg/apis/apiserver/validation/validation.go#ValidateAuthorizationConfiguration
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { formatDuration } from '../../../machinery/duration.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, LiteralValue, duplicate, invalid, notSupported, required } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { checkDns1123Subdomain } from '../../../machinery/names.ts';
import type { AuthorizerConfiguration, WebhookConfiguration } from './configuration.ts';
import { authorizationModes } from './modes.ts';
import { WebhookMatchConditions } from './webhook/match-conditions.ts';

const maxTimeoutMs = 30_000;

export function validateAuthorizers(authorizers: readonly AuthorizerConfiguration[]): FieldError[] {
  const root = FieldPath.root('authorizers');
  const errors: FieldError[] = [];
  if (authorizers.length === 0) errors.push(required(root, 'at least one authorization mode must be defined'));
  const types = new Set<string>();
  const names = new Set<string>();
  authorizers.forEach((authorizer, i) => errors.push(...validateAuthorizer(authorizer, root.index(i), types, names)));
  return errors;
}

/** `types` and `names`: those of the authorizers before. */
function* validateAuthorizer(
  { type, name, webhook }: AuthorizerConfiguration,
  path: FieldPath,
  types: Set<string>,
  names: Set<string>,
): Iterable<FieldError> {
  if (type === '') return yield required(path.child('type'), '');
  if (!authorizationModes.includes(type)) return yield notSupported(path.child('type'), type, authorizationModes.toSorted());
  if (types.has(type) && type !== 'Webhook') return yield duplicate(path.child('type'), type);
  types.add(type);
  const problems = checkDns1123Subdomain(name);
  if (name === '') yield required(path.child('name'), '');
  else if (names.has(name)) yield duplicate(path.child('name'), name);
  else if (problems.length > 0) yield invalid(path.child('name'), name, `authorizer name is invalid: ${problems.join(', ')}`);
  names.add(name);
  if (type !== 'Webhook') {
    if (webhook !== undefined) yield invalid(path.child('webhook'), 'non-null', 'may only be specified when type=Webhook');
  } else if (webhook === undefined) yield required(path.child('webhook'), 'required when type=Webhook');
  // Quirk: what is wrong in a webhook is reported as if it stood in the authorizer.
  else yield* validateWebhook(webhook, path);
}

function* validateWebhook(webhook: WebhookConfiguration, path: FieldPath): Iterable<FieldError> {
  const { timeoutMs, subjectAccessReviewVersion: version, failurePolicy, matchConditions } = webhook;
  if (timeoutMs === 0) yield required(path.child('timeout'), '');
  else if (timeoutMs > maxTimeoutMs || timeoutMs < 0) {
    yield invalid(path.child('timeout'), durationText(timeoutMs), 'must be > 0s and <= 30s');
  }
  yield* validateTtl(webhook.authorizedTtlMs, path.child('authorizedTTL'));
  yield* validateTtl(webhook.unauthorizedTtlMs, path.child('unauthorizedTTL'));
  yield* oneOf(version, ['v1', 'v1beta1'], path.child('subjectAccessReviewVersion'));
  const conditionVersion = webhook.matchConditionSubjectAccessReviewVersion;
  const conditionPath = path.child('matchConditionSubjectAccessReviewVersion');
  if (conditionVersion !== '') yield* oneOf(conditionVersion, ['v1'], conditionPath);
  else if (matchConditions.length > 0) yield required(conditionPath, 'required if match conditions are specified');
  yield* oneOf(failurePolicy, ['NoOpinion', 'Deny'], path.child('failurePolicy'));
  yield* validateConnection(webhook.connectionInfo, path.child('connectionInfo'));
  yield* WebhookMatchConditions.compile(matchConditions, path).errors;
}

function* validateTtl(ms: number, path: FieldPath): Iterable<FieldError> {
  if (ms < 0) yield invalid(path, durationText(ms), 'must be > 0s');
}

function* oneOf(value: string, supported: readonly string[], path: FieldPath): Iterable<FieldError> {
  if (value === '') yield required(path, '');
  else if (!supported.includes(value)) yield notSupported(path, value, supported);
}

function* validateConnection(
  { type, kubeConfigFile: file }: WebhookConfiguration['connectionInfo'],
  path: FieldPath,
): Iterable<FieldError> {
  const place = path.child('kubeConfigFile');
  switch (type) {
    case '':
      return yield required(path.child('type'), '');
    case 'InClusterConfig':
      if (file !== undefined) yield invalid(place, file, 'can only be set when type=KubeConfigFile');
      return;
    case 'KubeConfigFile':
      if (file === undefined || file === '') yield required(place, '');
      else if (!isAbsolute(file)) yield invalid(place, file, 'must be an absolute path');
      else yield* validateFile(file, place);
      return;
    default: {
      const text = `{"Type":${goQuote(type)},"KubeConfigFile":${file === undefined ? 'null' : goQuote(file)}}`;
      yield notSupported(path.child('type'), new LiteralValue(text), ['InClusterConfig', 'KubeConfigFile']);
    }
  }
}

function* validateFile(file: string, place: FieldPath): Iterable<FieldError> {
  try {
    if (!statSync(file).isFile()) yield invalid(place, file, 'must be a regular file');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `stat ${file}: no such file or directory` : message;
    yield invalid(place, file, `error loading file: ${why}`);
  }
}

function durationText(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * 1e6)));
}
