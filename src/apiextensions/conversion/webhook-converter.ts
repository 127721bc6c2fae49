// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go
import { stringify } from '../../machinery/codec/json/write.ts';
import { stepByStep } from '../../base/steps.ts';
import { parsingExactJson } from '../../machinery/codec/json/parse.ts';
import { randomUUID } from 'node:crypto';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import { isObject } from '../../patch/json/json-object.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import type { ConversionResponse, ConversionReview } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { WebhookClient, WebhookTarget } from '../../server/webhook/webhook-client.ts';
import { UnavailableError } from '../../storage/storage.ts';
import { restoreMetadata } from './converted-metadata.ts';
import type { ConversionFailure, ConversionMetrics } from './conversion-metrics.ts';
import type { Converter } from './converter.ts';
import { Semaphore } from './semaphore.ts';

const group = 'apiextensions.k8s.io';
/** as upstream, which has no setting for it */
const timeoutSeconds = 30;
const kind = 'ConversionReview';
/** A list is converted object by object, and may be long. */
const maxCalls = 16;

/** Asks a webhook. Its failures pass: nothing is wrong with the object. */
export class WebhookConverter implements Converter {
  readonly isImmediate = false;
  readonly #target: WebhookTarget;
  readonly #version: string | undefined;
  readonly #webhooks: WebhookClient;
  readonly #metrics: ConversionMetrics | undefined;
  readonly #calls = new Semaphore(maxCalls);

  constructor(target: WebhookTarget, versions: readonly string[], webhooks: WebhookClient, metrics?: ConversionMetrics) {
    this.#target = target;
    this.#version = versions.find((version) => version === 'v1' || version === 'v1beta1');
    this.#webhooks = webhooks;
    this.#metrics = metrics;
  }

  async convert(object: KubeObject, apiVersion: string): Promise<KubeObject> {
    const began = performance.now();
    const state: { failure: ConversionFailure | '' | undefined } = { failure: undefined };
    try {
      const converted = await this.#convert(object, apiVersion, state);
      state.failure = '';
      return converted;
    } finally {
      this.#metrics?.converted(versionOf(object.apiVersion), versionOf(apiVersion), began, state.failure);
    }
  }

  /** `state.failure` says what it fails with if it fails here. */
  async #convert(object: KubeObject, apiVersion: string, state: { failure?: ConversionFailure | '' | undefined }): Promise<KubeObject> {
    if (this.#version === undefined) throw new UnavailableError('no supported conversion review versions');
    const of = `conversion webhook for ${shownKind(object)}`;
    const uid = randomUUID();
    let objects: readonly unknown[];
    try {
      state.failure = 'conversion_webhook_call_failure';
      const answer = (await this.#ask(uid, object, apiVersion)).toString();
      const review = (await stepByStep(parsingExactJson(answer))) as ConversionReview;
      state.failure = 'conversion_webhook_malformed_response_failure';
      objects = this.#convertedObjects(uid, review);
    } catch (error) {
      throw new UnavailableError(`${of} failed: ${(error as Error).message}`, { cause: error });
    }
    state.failure = 'conversion_webhook_partial_response_failure';
    if (objects.length !== 1) throw new UnavailableError(`${of} returned ${objects.length} objects, expected 1`);
    state.failure = 'conversion_webhook_invalid_converted_object_failure';
    return accepted(of, object, objects[0], apiVersion);
  }

  #ask(uid: string, object: KubeObject, desiredAPIVersion: string): Promise<Buffer> {
    const request = { uid, desiredAPIVersion, objects: [object] };
    const response = { uid: '', convertedObjects: null, result: { metadata: {} } };
    const review = { kind, apiVersion: this.#apiVersion, request, response };
    return this.#calls.run(() => this.#webhooks.post(this.#target, { body: stringify(review), timeoutSeconds }));
  }

  get #apiVersion(): string {
    return `${group}/${this.#version ?? ''}`;
  }

  #convertedObjects(uid: string, review: ConversionReview): readonly unknown[] {
    const { response } = review;
    if (this.#version === 'v1') this.#checkKind(review);
    if (!response) throw new Error('no response provided');
    if (this.#version === 'v1' && response.uid !== uid) {
      throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
    }
    checkResult(response);
    return response.convertedObjects ?? [];
  }

  #checkKind({ kind: stated = '', apiVersion = '' }: ConversionReview): void {
    if (stated === kind && apiVersion === this.#apiVersion) return;
    throw new Error(`expected webhook response of ${this.#apiVersion}, Kind=${kind}, got ${apiVersion || '/'}, Kind=${stated}`);
  }
}

function checkResult({ result = { metadata: {} } }: Partial<ConversionResponse>): void {
  const { status = '', message } = result;
  if (status !== 'Success') throw new Error(message || `response.result.status was '${status}', not 'Success'`);
}

/** What the webhook returned, if it is the object that it was given. */
function accepted(of: string, original: KubeObject, converted: unknown, apiVersion: string): KubeObject {
  const fail = (what: string): UnavailableError => new UnavailableError(`${of} returned ${what}`);
  if (!isObject(converted)) throw fail('invalid object');
  const { kind: convertedKind = '', apiVersion: received = '' } = converted as KubeObject;
  if (received !== apiVersion) throw fail(`invalid object at index 0: invalid groupVersion (expected ${apiVersion}, received ${received})`);
  if (convertedKind !== original.kind) {
    throw fail(`invalid object at index 0: invalid kind (expected ${original.kind ?? ''}, received ${convertedKind})`);
  }
  const metadata: JsonObject = isObject(converted['metadata']) ? converted['metadata'] : {};
  const { name = '', namespace = '', uid = '' } = original.metadata;
  for (const [field, title, expected] of [
    ['name', 'name', name],
    ['namespace', 'namespace', namespace],
    ['uid', 'UID', uid],
  ] as const) {
    const actual = (metadata[field] as string | undefined) ?? '';
    if (actual !== expected) throw fail(`invalid object: must have the same ${title}: ${expected} != ${actual}`);
  }
  const restored = restoreMetadata(original, converted);
  if ('fault' in restored) throw fail(`invalid metadata: ${restored.fault}`);
  return { ...converted, metadata: restored.metadata } as KubeObject;
}

function shownKind({ apiVersion = '', kind: shown = '' }: KubeObject): string {
  const { group: of, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  return `${of}/${version}, Kind=${shown}`;
}

function versionOf(apiVersion = ''): string {
  return apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
}
