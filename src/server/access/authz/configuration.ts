// Upstream: k8s.io/apiserver/pkg/apis/apiserver/v1/{types,defaults}.go, k8s.io/kubernetes/pkg/kubeapiserver/authorizer/config.go#LoadAndValidateData
import { parseDuration } from '../../../machinery/duration.ts';
import { aggregateMessage, aggregateMessages } from '../../../machinery/field.ts';
import type { Shape } from '../../../machinery/strict-shape.ts';
import { readConfiguration } from '../../object/configuration-file.ts';
import { validateAuthorizers } from './configuration-validation.ts';

/** `AuthorizationConfiguration`, with defaults filled in. */
export interface AuthorizerConfiguration {
  readonly type: string;
  readonly name: string;
  readonly webhook?: WebhookConfiguration | undefined;
}

export interface WebhookConfiguration {
  readonly authorizedTtlMs: number;
  readonly cacheAuthorizedRequests: boolean;
  readonly unauthorizedTtlMs: number;
  readonly cacheUnauthorizedRequests: boolean;
  readonly timeoutMs: number;
  readonly subjectAccessReviewVersion: string;
  readonly matchConditionSubjectAccessReviewVersion: string;
  readonly failurePolicy: string;
  readonly connectionInfo: { readonly type: string; readonly kubeConfigFile?: string | undefined };
  readonly matchConditions: readonly string[];
}

interface WrittenWebhook {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}

interface Written {
  readonly authorizers?: readonly { readonly type?: string; readonly name?: string; readonly webhook?: WrittenWebhook }[];
}

const webhookShape: Shape = {
  name: 'WebhookConfiguration',
  fields: {
    authorizedTTL: 'duration',
    cacheAuthorizedRequests: 'bool',
    unauthorizedTTL: 'duration',
    cacheUnauthorizedRequests: 'bool',
    timeout: 'duration',
    subjectAccessReviewVersion: 'string',
    matchConditionSubjectAccessReviewVersion: 'string',
    failurePolicy: 'string',
    connectionInfo: { name: 'WebhookConnectionInfo', fields: { type: 'string', kubeConfigFile: 'string' } },
    matchConditions: { list: { name: 'WebhookMatchCondition', fields: { expression: 'string' } } },
  },
};
const shape: Readonly<Record<string, Shape>> = {
  authorizers: { list: { name: 'AuthorizerConfiguration', fields: { type: 'string', name: 'string', webhook: webhookShape } } },
};

const defaultAuthorizedTtlMs = 5 * 60_000;
const defaultUnauthorizedTtlMs = 30_000;

/** The chain of authorizers that a file describes. Throws everything that is wrong with it. */
export function parseAuthorizationConfiguration(text: string): AuthorizerConfiguration[] {
  const authorizers = read(text);
  const errors = validateAuthorizers(authorizers);
  if (errors.length > 0) throw new Error(aggregateMessage(errors));
  const misnamed = authorizers
    .filter(({ type, name }) => type !== 'Webhook' && name !== type.toLowerCase())
    .map(({ type, name }) => `expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`);
  if (misnamed.length > 0) throw new Error(aggregateMessages(misnamed));
  return authorizers;
}

function read(text: string): AuthorizerConfiguration[] {
  if (text === '') return [];
  try {
    const { authorizers } = readConfiguration(text, 'AuthorizationConfiguration', shape) as Written;
    return (authorizers ?? []).map(({ type, name, webhook }) => ({
      type: type ?? '',
      name: name ?? '',
      webhook: webhook ? withDefaults(webhook) : undefined,
    }));
  } catch (error) {
    throw new Error(`failed to load AuthorizationConfiguration from file: ${(error as Error).message}`, { cause: error });
  }
}

function withDefaults(written: WrittenWebhook): WebhookConfiguration {
  const { connectionInfo, matchConditions } = written;
  return {
    authorizedTtlMs: milliseconds(written.authorizedTTL) || defaultAuthorizedTtlMs,
    cacheAuthorizedRequests: written.cacheAuthorizedRequests ?? true,
    unauthorizedTtlMs: milliseconds(written.unauthorizedTTL) || defaultUnauthorizedTtlMs,
    cacheUnauthorizedRequests: written.cacheUnauthorizedRequests ?? true,
    timeoutMs: milliseconds(written.timeout),
    subjectAccessReviewVersion: written.subjectAccessReviewVersion ?? '',
    matchConditionSubjectAccessReviewVersion: written.matchConditionSubjectAccessReviewVersion ?? '',
    failurePolicy: written.failurePolicy ?? '',
    connectionInfo: { type: connectionInfo?.type ?? '', kubeConfigFile: connectionInfo?.kubeConfigFile ?? undefined },
    matchConditions: (matchConditions ?? []).map(({ expression }) => expression ?? ''),
  };
}

function milliseconds(duration: string | null | undefined): number {
  return duration ? Number(parseDuration(duration)) / 1e6 : 0;
}
