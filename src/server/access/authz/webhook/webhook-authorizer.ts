// Upstream: k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go
import type { Clock } from '../../../../base/clock.ts';
import { stepByStep } from '../../../../base/steps.ts';
import { goQuote } from '../../../../machinery/go-format.ts';
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from '../../../../schema/types/authorization-v1.ts';
import type { ReviewClient } from '../../../webhook/review-client.ts';
import type { Attributes, Authorizer, Decision, RulesOf } from '../../../request/authorizer.ts';
import { accessReviewSpec } from './access-review.ts';
import type { WebhookMatchConditions } from './match-conditions.ts';
import type { WebhookAuthorizerMetrics } from './webhook-metrics.ts';

const versions: readonly string[] = ['v1', 'v1beta1'];
const maxEntries = 8192;
/** what a client may make us remember of one request, in characters */
const maxAttributesSize = 10_000;
const noOpinion: Decision = { decision: 'no-opinion', reason: '' };

export interface WebhookAuthorizerOptions {
  readonly client: ReviewClient;
  /** of reviews that are sent */
  readonly apiVersion: string;
  readonly conditions: WebhookMatchConditions;
  readonly decisionOnError: 'deny' | 'no-opinion';
  /** 0: not kept */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly clock: Clock;
  /** undefined: not counted */
  readonly metrics?: WebhookAuthorizerMetrics | undefined;
}

type Status = Partial<SubjectAccessReviewStatus>;

/** The apiVersion of reviews; throws when the version is none that can be sent. */
export function accessReviewVersion(version: string): string {
  if (versions.includes(version)) return `authorization.k8s.io/${version}`;
  throw new Error(`unsupported webhook authorizer version ${goQuote(version)}, supported versions are ${versions.map(goQuote).join(', ')}`);
}

/** Asks another server, and keeps its decisions for a while. */
export class WebhookAuthorizer implements Authorizer {
  readonly #options: WebhookAuthorizerOptions;
  readonly #known = new Map<string, { readonly status: Status; readonly expires: number }>();

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    const spec = accessReviewSpec(attributes);
    return this.#options.conditions.isEmpty ? this.#decide(attributes, spec) : this.#decideIfMatched(attributes, spec);
  }

  async #decideIfMatched(attributes: Attributes, spec: SubjectAccessReviewSpec): Promise<Decision> {
    const { conditions, decisionOnError, metrics } = this.#options;
    const began = performance.now();
    const matched = await stepByStep(conditions.evaluate(spec));
    metrics?.conditionsEvaluated(began, 'error' in matched ? 'error' : matched.matches ? 'matches' : 'excluded');
    if ('error' in matched) return { decision: decisionOnError, reason: '', error: matched.error };
    return matched.matches ? this.#decide(attributes, spec) : noOpinion;
  }

  #decide(attributes: Attributes, spec: SubjectAccessReviewSpec): Decision | Promise<Decision> {
    const { clock } = this.#options;
    const key = JSON.stringify(spec);
    const known = this.#known.get(key);
    if (known !== undefined && known.expires > clock.elapsed()) return decisionOf(known.status);
    return this.#ask(spec, key, sizeOf(attributes) < maxAttributesSize);
  }

  rulesFor(): RulesOf {
    const evaluationError = 'webhook authorizer does not support user rule resolution';
    return { resourceRules: [], nonResourceRules: [], incomplete: true, evaluationError };
  }

  async #ask(spec: SubjectAccessReviewSpec, key: string, mayKeep: boolean): Promise<Decision> {
    const { client, apiVersion, decisionOnError, metrics } = this.#options;
    let status: Status;
    try {
      status = await client.review<SubjectAccessReviewStatus>(apiVersion.endsWith('/v1beta1') ? inBeta(spec) : spec, { allowed: false });
    } catch (error) {
      if (decisionOnError === 'no-opinion' && !client.isClosed) metrics?.failedOpen(error);
      return { decision: decisionOnError, reason: '', error: (error as Error).message };
    }
    if (mayKeep) this.#keep(key, status);
    return decisionOf(status);
  }

  #keep(key: string, status: Status): void {
    const { authorizedTtlMs, unauthorizedTtlMs, clock } = this.#options;
    const ttlMs = status.allowed === true ? authorizedTtlMs : unauthorizedTtlMs;
    this.#known.delete(key);
    if (ttlMs <= 0) return;
    if (this.#known.size >= maxEntries) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(key, { status, expires: clock.elapsed() + ttlMs });
  }
}

function decisionOf({ allowed = false, denied = false, reason = '' }: Status): Decision {
  if (denied && allowed) {
    return { decision: 'deny', reason, error: 'webhook subject access review returned both allow and deny response' };
  }
  return { decision: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason };
}

/** The older version calls the groups `group`. */
function inBeta({ groups, extra, uid, ...rest }: SubjectAccessReviewSpec): object {
  return { ...rest, ...(groups && { group: groups }), ...(extra && { extra }), ...(uid !== undefined && { uid }) };
}

function sizeOf({ namespace, verb, group, version, resource, subresource, name, path }: Attributes): number {
  return [namespace, verb, group, version, resource, subresource, name, path].reduce((size, text) => size + text.length, 0);
}
