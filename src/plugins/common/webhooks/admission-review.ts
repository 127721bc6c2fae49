// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/request/admissionreview.go
import { randomUUID } from 'node:crypto';
import type { Steps } from '../../../base/steps.ts';
import { allSteps } from '../../../base/steps.ts';
import { DecodeError } from '../../../machinery/codec/decode-error.ts';
import { TextDocument } from '../../../machinery/codec/json/document.ts';
import { writeSorted } from '../../../machinery/codec/json/write.ts';
import { readingYaml } from '../../../machinery/codec/yaml/read.ts';
import { decodeYamlText } from '../../../machinery/codec/yaml/text.ts';
import type { GroupVersionKind } from '../../../machinery/type-model.ts';
import { apiVersionOf } from '../../../machinery/type-model.ts';
import type { AdmissionResponse, AdmissionReview as ReviewObject } from '../../../schema/types/admission-v1.ts';
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import { admissionRequest } from '../../../server/admission/expressions/admission-request.ts';
import type { Match } from '../../../server/admission/matching/match-criteria.ts';
import { versionedObject } from '../../../server/admission/matching/versioned-object.ts';
import { kindIn } from '../../../server/endpoints/write.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { VersionedKind } from '../../../server/object/versioned-kind.ts';

const group = 'admission.k8s.io';
const kind = 'AdmissionReview';

const knownKinds: ReadonlyMap<string, string> = new Map([
  ['admission.k8s.io/v1', kind],
  ['admission.k8s.io/v1beta1', kind],
  ['v1', 'Status'],
]);

/** How objects of any kind are read and written. */
export type VersionedKindOf = (kind: GroupVersionKind) => VersionedKind;

/** What a webhook is asked, in a version that it understands, and how its response is read. */
export class AdmissionReview {
  readonly #uid = randomUUID();

  get uid(): string {
    return this.#uid;
  }

  readonly #version: string;
  readonly #versionedKindOf: VersionedKindOf;

  /** Throws when none of the versions is known here. */
  constructor(versions: readonly string[], versionedKindOf: VersionedKindOf) {
    const version = versions.find((one) => one === 'v1' || one === 'v1beta1');
    if (version === undefined) throw new Error('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
    this.#version = version;
    this.#versionedKindOf = versionedKindOf;
  }

  get #kind(): GroupVersionKind {
    return { group, version: this.#version, kind };
  }

  question(attributes: AdmissionAttributes, match: Match): string {
    const versionedKind = versionedKindAt(match, this.#versionedKindOf);
    const encoded = (object: KubeObject | undefined): string =>
      object === undefined ? 'null' : versionedKind.encode('json', versionedObject(object, match), false).toString().trimEnd();
    const { dryRun, options, ...request } = admissionRequest(attributes, match);
    const head = JSON.stringify({ uid: this.#uid, ...request }).slice(0, -1);
    const objects = `"object":${encoded(attributes.object)},"oldObject":${encoded(attributes.old)}`;
    return `{"kind":"${kind}","apiVersion":"${apiVersionOf(this.#kind)}","request":${head},${objects},"dryRun":${dryRun},"options":${JSON.stringify(options)}}}`;
  }

  /** Throws with what is wrong with the webhook's response. */
  answer(body: Buffer, isMutating: boolean): AdmissionResponse {
    return allSteps(this.reading(body, isMutating));
  }

  /** The same for what may be large. */
  *reading(body: Buffer, isMutating: boolean): Steps<AdmissionResponse> {
    const { response, ...stated } = yield* this.#decoding(body);
    if (response === undefined) throw new InvalidResponseError('webhook response was absent');
    if (this.#version === 'v1') {
      this.#check(response, stated);
      if (isMutating) checkPatch(response);
      else checkNoPatch(response);
      return response;
    }
    // Neither kind, uid nor type of patch were looked at in this version.
    const { patch, patchType: _type, ...rest } = response;
    return isMutating && patch ? { ...rest, patch, patchType: 'JSONPatch' } : rest;
  }

  *#decoding(body: Buffer): Steps<ReviewObject> {
    const json = yield* jsonOf(body);
    const unreadable = (why: string, options?: ErrorOptions): DecodeError =>
      new DecodeError(`couldn't get version/kind; json parse error: ${why}`, options);
    let document: TextDocument;
    try {
      document = yield* TextDocument.reading(json);
    } catch (error) {
      throw error instanceof DecodeError ? unreadable(error.message, { cause: error }) : error;
    }
    const stated = kindIn(document.value);
    if (typeof stated === 'string') throw unreadable(stated);
    this.#checkRegistered(stated.kind || kind, stated.apiVersion || apiVersionOf(this.#kind));
    yield;
    const { object } = this.#versionedKindOf(this.#kind).decode('json', document, false);
    return { ...(object as ReviewObject), ...stated };
  }

  /** Responses of webhooks are read with few kinds. */
  #checkRegistered(statedKind: string, apiVersion: string): void {
    const known = knownKinds.get(apiVersion);
    if (known !== statedKind) {
      throw new DecodeError(
        `no kind ${JSON.stringify(statedKind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    if (apiVersion === apiVersionOf(this.#kind)) return;
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    throw new DecodeError(`converting (${version}.${statedKind}) to (${this.#version}.${kind}): unknown conversion`);
  }

  #check({ uid }: AdmissionResponse, stated: { kind?: string; apiVersion?: string }): void {
    if (uid !== this.#uid) throw new InvalidResponseError(`expected response.uid=${JSON.stringify(this.#uid)}, got ${JSON.stringify(uid)}`);
    const apiVersion = apiVersionOf(this.#kind);
    if (stated.kind === kind && stated.apiVersion === apiVersion) return;
    throw new InvalidResponseError(
      `expected webhook response of ${apiVersion}, Kind=${kind}, got ${stated.apiVersion || '/'}, Kind=${stated.kind}`,
    );
  }
}

/** What does not begin as a JSON object is taken for YAML. */
function* jsonOf(body: Buffer): Steps<Buffer> {
  if (/^\s*\{/.test(body.toString('latin1', 0, 100))) return body;
  const { value } = yield* readingYaml(decodeYamlText(body));
  yield;
  return Buffer.from(writeSorted(value));
}

/** A response that can be read but does not belong to the request. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}

/** How the objects of a request are read and written as what they were matched. */
export function versionedKindAt({ resource, version, kind: matched }: Match, versionedKindOf: VersionedKindOf): VersionedKind {
  const own = matched.kind === resource.kind && matched.group === resource.group ? resource.versions.get(version) : undefined;
  return own ?? versionedKindOf(matched);
}

function checkPatch({ patch = '', patchType }: AdmissionResponse): void {
  if (patch !== '' && patchType === undefined) throw new InvalidResponseError('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== undefined) throw new InvalidResponseError('webhook returned response.patchType but not response.patch');
  if ((patchType as string | undefined) === '') throw new InvalidResponseError('webhook returned invalid response.patchType of ""');
}

function checkNoPatch({ patch = '', patchType }: AdmissionResponse): void {
  if (patch !== '') throw new InvalidResponseError('validating webhook may not return response.patch');
  if (patchType !== undefined) throw new InvalidResponseError('validating webhook may not return response.patchType');
}
