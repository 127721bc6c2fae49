// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/generic/webhook.go#ShouldCallHook
// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go
import type { Logger } from '../../../base/log.ts';
import { stepByStep } from '../../../base/steps.ts';
import { largeBytes } from '../../../base/turns.ts';
import { inSpan, startSpan } from '../../../base/tracing/active-span.ts';
import type { Attributes } from '../../../base/tracing/span.ts';
import { ApiError, badRequest, forbidden, internalError, timeout } from '../../../machinery/errors.ts';
import type { AdmissionResponse } from '../../../schema/types/admission-v1.ts';
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { ExpressionInputs } from '../../../server/admission/expressions/evaluation.ts';
import type { AdmissionFamilies } from '../../../server/admission/admission-families.ts';
import { admissionFamilies, conditionsObserver } from '../../../server/admission/admission-families.ts';
import { admissionRequest } from '../../../server/admission/expressions/admission-request.ts';
import { AuthorizationCalls } from '../../../server/admission/expressions/authorization-calls.ts';
import type { Candidate } from '../../../server/admission/matching/endpoint-index.ts';
import type { Match } from '../../../server/admission/matching/match-criteria.ts';
import { Matcher } from '../../../server/admission/matching/matcher.ts';
import { versionedObject } from '../../../server/admission/matching/versioned-object.ts';
import type { PluginContext } from '../../../server/admission/plugin.ts';
import type { WebhookCredentials } from '../../../server/webhook/credentials.ts';
import { AdmissionReview, InvalidResponseError } from './admission-review.ts';
import { denial } from './denial.ts';
import type { Webhook } from './webhook.ts';

/** The webhook could not be asked, or its response not be understood: its failure policy says what that means. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(webhook: Webhook, reason: string, options?: ErrorOptions) {
    super(`failed calling webhook ${JSON.stringify(webhook.name)}: ${reason}`, options);
  }
}

/** after which a call is worth a line in the log */
const thresholdMs = 500;
const dryRunIsSafe: ReadonlySet<string> = new Set(['None', 'NoneOnDryRun']);

function isDryRunUnsafe({ spec }: Webhook, { dryRun }: AdmissionAttributes): boolean {
  return dryRun && !dryRunIsSafe.has(spec.sideEffects ?? '');
}

const serviceUnavailable = 503;
const largestCode = 600;

/** What upstream makes of a call that failed: the status that came back, or that there is no service. */
function callCode({ cause }: CallError): number {
  return cause instanceof ApiError ? cause.code : serviceUnavailable;
}

/** A webhook cannot make up any number of codes. */
function codeText(code: number): string {
  return String(Math.min(code, largestCode));
}

export interface WebhookCallerOptions {
  readonly isMutating: boolean;
  readonly credentials: WebhookCredentials | undefined;
}

/** Asks webhooks about requests. */
export class WebhookCaller {
  readonly #context: PluginContext;
  readonly #matcher: Matcher;
  readonly #isMutating: boolean;
  readonly #credentials: WebhookCredentials | undefined;
  readonly #log: Logger;
  readonly #metrics: AdmissionFamilies;

  constructor(context: PluginContext, { isMutating, credentials }: WebhookCallerOptions) {
    this.#context = context;
    this.#matcher = new Matcher(context.reader);
    this.#isMutating = isMutating;
    this.#credentials = credentials;
    this.#log = context.log;
    this.#metrics = admissionFamilies(context.metrics);
  }

  /** As what the webhook is to see the request; undefined: not at all. */
  async match({ item: webhook, at }: Candidate<Webhook>, attributes: AdmissionAttributes): Promise<Match | undefined> {
    const match = await this.#matcher.match(webhook.criteria, at, attributes);
    if (match === undefined) return undefined;
    const of = [webhook.name, 'webhook', this.#isMutating ? 'admit' : 'validate', attributes.operation] as const;
    const inputs = (): ExpressionInputs => ({
      object: versionedObject(attributes.object, match),
      oldObject: versionedObject(attributes.old, match),
      request: admissionRequest(attributes, match),
      namespaceObject: undefined,
      authorizationCalls: new AuthorizationCalls(this.#context.authorizer, attributes),
    });
    const observe = webhook.conditions.isAny ? conditionsObserver(this.#metrics, of) : undefined;
    const result = await webhook.conditions.evaluate(inputs, observe);
    if ('matches' in result) {
      if (!result.matches) this.#metrics.conditionExclusions.with(...of).inc();
      return result.matches ? match : undefined;
    }
    this.#log.warn('Failed evaluating match conditions, failing closed', { webhook: webhook.name, err: result.error });
    throw forbidden(attributes.resource.groupResource, attributes.name, result.error);
  }

  /** Throws CallError, or the error that the client is to see. What the webhook has to say besides is passed on. */
  async call(webhook: Webhook, match: Match, attributes: AdmissionAttributes): Promise<AdmissionResponse> {
    const began = performance.now();
    try {
      const response = await this.#call(webhook, match, attributes);
      this.#called(webhook, attributes, began, false, 200);
      return response;
    } catch (error) {
      this.#failed(webhook, attributes, began, error);
      throw error;
    }
  }

  #called({ name }: Webhook, { operation, timeLimit }: AdmissionAttributes, began: number, rejected: boolean, code: number): void {
    const elapsed = performance.now() - began;
    // Validating webhooks are asked at once: each of them alone would count the same time again.
    if (timeLimit !== undefined && this.#isMutating) timeLimit.waitedMs += elapsed;
    const shown = rejected ? 'true' : 'false';
    this.#metrics.webhookRequests.with(name, this.#type, operation, codeText(code), shown).inc();
    this.#metrics.webhooks.with(name, this.#type, operation, shown).observe(elapsed / 1000);
  }

  #failed(webhook: Webhook, attributes: AdmissionAttributes, began: number, error: unknown): void {
    const isDenied = error instanceof ApiError && !isDryRunUnsafe(webhook, attributes);
    const code = error instanceof CallError ? callCode(error) : isDenied ? error.code : 0;
    const rejected = !(error instanceof CallError) || !webhook.ignoresFailure;
    if (rejected) {
      const reason = error instanceof CallError ? 'calling_webhook_error' : isDenied ? 'no_error' : 'apiserver_internal_error';
      this.#metrics.webhookRejections.with(webhook.name, this.#type, attributes.operation, reason, codeText(code)).inc();
    } else this.#metrics.webhookFailOpen.with(webhook.name, this.#type).inc();
    this.#called(webhook, attributes, began, rejected, code);
  }

  get #type(): 'admit' | 'validating' {
    return this.#isMutating ? 'admit' : 'validating';
  }

  async #call(webhook: Webhook, match: Match, attributes: AdmissionAttributes): Promise<AdmissionResponse> {
    const { name } = webhook;
    if (isDryRunUnsafe(webhook, attributes)) {
      throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
    }
    const response = await this.#ask(webhook, match, attributes);
    for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) attributes.annotate(`${name}/${key}`, value);
    for (const warning of response.warnings ?? []) attributes.warn(warning);
    if (!response.allowed) throw denial(name, response.status);
    return response;
  }

  /** What follows from an error of `call`: returns when it is to be ignored, throws what the client is to see otherwise. */
  conclude(webhook: Webhook, error: unknown, attributes: AdmissionAttributes, failedOpen: string): void {
    if (!(error instanceof CallError)) throw error;
    if (!webhook.ignoresFailure) {
      this.#log.warn('Failed calling webhook, failing closed', { webhook: webhook.name, err: error });
      throw internalError(error.message, { cause: error });
    }
    this.#log.warn('Failed calling webhook, failing open', { webhook: webhook.name, err: error });
    attributes.annotate(failedOpen, webhook.name);
    if (attributes.timeLimit?.signal.aborted) throw timeout('request did not complete within requested timeout', 0);
  }

  async #ask(webhook: Webhook, match: Match, attributes: AdmissionAttributes): Promise<AdmissionResponse> {
    const { clientConfig, timeoutSeconds, admissionReviewVersions } = webhook.spec;
    const { versionedKindOf, webhooks } = this.#context;
    const failed = (what: string, error: unknown): CallError =>
      new CallError(webhook, `${what}: ${(error as Error).message}`, { cause: error });
    const span = startSpan(`Call ${this.#isMutating ? 'mutating' : 'validating'} webhook`, () =>
      webhookAttributes(webhook, match, attributes),
    );
    let review: AdmissionReview;
    try {
      review = new AdmissionReview(admissionReviewVersions ?? [], versionedKindOf);
    } catch (error) {
      throw failed('could not create admission objects', error);
    }
    try {
      span?.set({ UID: review.uid });
      const body = review.question(attributes, match);
      const call = { body, timeoutSeconds, timeLimit: attributes.timeLimit, credentials: this.#credentials };
      const answer = await inSpan(span, () => webhooks.post(clientConfig, call));
      span?.event('Request completed');
      const response =
        answer.length < largeBytes ? review.answer(answer, this.#isMutating) : await stepByStep(review.reading(answer, this.#isMutating));
      // It is applied right away, by the plugin.
      if (this.#isMutating && response.patch !== undefined) span?.event('Patch applied');
      return response;
    } catch (error) {
      throw failed(error instanceof InvalidResponseError ? 'received invalid webhook response' : 'failed to call webhook', error);
    } finally {
      span?.end(thresholdMs);
    }
  }
}

function webhookAttributes({ configuration, name }: Webhook, { resource, version }: Match, attributes: AdmissionAttributes): Attributes {
  const { group, resource: plural } = resource.groupResource;
  return {
    configuration,
    webhook: name,
    resource: `${group}/${version}, Resource=${plural}`,
    subresource: attributes.subresource,
    operation: attributes.operation,
  };
}
