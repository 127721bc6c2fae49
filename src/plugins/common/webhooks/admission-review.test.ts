import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { denial } from './denial.ts';
import { AdmissionReview } from './admission-review.ts';
import type { JsonDocument } from '../../../machinery/codec/json/document.ts';
import type { VersionedKindOf } from './admission-review.ts';
import type { VersionedKind } from '../../../server/object/versioned-kind.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../../server/admission/admission.ts';

/** Reads responses as they are. */
const versionedKindOf: VersionedKindOf = () =>
  ({
    decode: (_: string, body: JsonDocument) => ({ object: body.take(), strictErrors: [] }),
  }) as unknown as VersionedKind;

const configMap = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  encode: (_: string, object: object) => Buffer.from(`${JSON.stringify(object)}\n`),
} as unknown as VersionedKind;
const resource = {
  group: '',
  kind: 'ConfigMap',
  names: { group: '', plural: 'configmaps' },
  versions: new Map([['v1', configMap]]),
} as unknown as AdmittedResource;
const attributes = {
  operation: 'DELETE',
  resource,
  version: 'v1',
  versionedKind: configMap,
  subresource: '',
  namespace: 'n',
  name: 'x',
  object: undefined,
  old: { metadata: { name: 'x' } },
  user: { name: 'jane', uid: '', groups: ['g'], extra: {} },
  dryRun: true,
  options: { dryRun: ['All'] },
} as unknown as AdmissionAttributes;
const match = { resource, version: 'v1', kind: { group: '', version: 'v1', kind: 'ConfigMap' } };

interface Question {
  readonly apiVersion: string;
  readonly request: { readonly uid: string };
}

const asked = (review: AdmissionReview): Question => JSON.parse(review.question(attributes, match)) as Question;
const v1 = 'admission.k8s.io/v1';

type Answer = (uid: string) => object;
const answered =
  (response: object, more: object = {}): Answer =>
  (uid) => ({ kind: 'AdmissionReview', apiVersion: v1, response: { uid, allowed: true, ...response }, ...more });

const faults: readonly (readonly [mutating: boolean, answer: Answer, message: RegExp])[] = [
  [true, answered({}, { response: undefined }), /^webhook response was absent$/],
  [true, answered({ uid: 'x' }), /^expected response\.uid="[0-9a-f-]{36}", got "x"$/],
  [
    true,
    answered({}, { kind: undefined }),
    /^expected webhook response of admission.k8s.io\/v1, Kind=AdmissionReview, got admission.k8s.io\/v1, Kind=$/,
  ],
  [true, answered({}, { kind: undefined, apiVersion: undefined }), /, got \/, Kind=$/],
  [
    true,
    answered({}, { apiVersion: 'admission.k8s.io/v1beta1' }),
    /^converting \(v1beta1\.AdmissionReview\) to \(v1\.AdmissionReview\): unknown conversion$/,
  ],
  [true, answered({}, { apiVersion: 'v1', kind: 'Status' }), /^converting \(v1\.Status\) to \(v1\.AdmissionReview\): unknown conversion$/],
  [
    true,
    answered({}, { apiVersion: 'v1', kind: 'Pod' }),
    /^no kind "Pod" is registered for version "v1" in scheme "pkg\/runtime\/scheme\.go:111"$/,
  ],
  [true, answered({ patch: 'W10=' }), /^webhook returned response\.patch but not response\.patchType$/],
  [true, answered({ patchType: 'JSONPatch' }), /^webhook returned response\.patchType but not response\.patch$/],
  [true, answered({ patch: 'W10=', patchType: '' }), /^webhook returned invalid response\.patchType of ""$/],
  [false, answered({ patch: 'W10=' }), /^validating webhook may not return response\.patch$/],
  [false, answered({ patchType: 'JSONPatch' }), /^validating webhook may not return response\.patchType$/],
];

describe('AdmissionReview', () => {
  test('asks in the first version that is known', () => {
    assert.equal(asked(new AdmissionReview(['v0', 'v1beta1', 'v1'], versionedKindOf)).apiVersion, 'admission.k8s.io/v1beta1');
    assert.throws(() => new AdmissionReview(['v0'], versionedKindOf), {
      message: 'webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    });
  });

  test('tells what is to happen to what', () => {
    const question = asked(new AdmissionReview(['v1'], versionedKindOf));
    const { uid } = question.request;
    assert.deepEqual(question, {
      kind: 'AdmissionReview',
      apiVersion: v1,
      request: {
        uid,
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: 'x',
        namespace: 'n',
        operation: 'DELETE',
        userInfo: { username: 'jane', groups: ['g'] },
        object: null,
        oldObject: { metadata: { name: 'x' }, kind: 'ConfigMap', apiVersion: 'v1' },
        dryRun: true,
        options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] },
      },
    });
  });

  for (const [mutating, answer, message] of faults) {
    test(`refuses an answer: ${message.source}`, () => {
      const review = new AdmissionReview(['v1'], versionedKindOf);
      const body = Buffer.from(JSON.stringify(answer(asked(review).request.uid)));
      assert.throws(() => review.answer(body, mutating), { message });
    });
  }

  test('takes YAML for an answer, and in the old version any uid and patches without a type', () => {
    const old = new AdmissionReview(['v1beta1'], versionedKindOf);
    assert.deepEqual(old.answer(Buffer.from('response: {uid: any, allowed: true, patch: W10=}'), true), {
      uid: 'any',
      allowed: true,
      patch: 'W10=',
      patchType: 'JSONPatch',
    });
  });
});

const denials: readonly (readonly [stated: object | undefined, message: string, code: number])[] = [
  [undefined, 'admission webhook "w" denied the request without explanation', 400],
  [{ code: 200, status: 'Success' }, 'admission webhook "w" denied the request without explanation', 400],
  [{ reason: 'Busy', code: 429 }, 'admission webhook "w" denied the request: Busy', 429],
  [{ reason: 'Busy', message: 'not now' }, 'admission webhook "w" denied the request: not now', 400],
];

describe('a denial', () => {
  for (const [stated, message, code] of denials) {
    test(`with ${JSON.stringify(stated)} is a failure with code ${code}`, () => {
      const { status } = denial('w', stated as Parameters<typeof denial>[1]);
      assert.equal(status.message, message);
      assert.equal(status.code, code);
      assert.equal(status.status, 'Failure');
    });
  }
});
