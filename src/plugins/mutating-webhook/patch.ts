// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/dispatcher.go#callAttrMutatingHook
import type { Steps } from '../../base/steps.ts';
import { mayHoldBigints, parseJson } from '../../machinery/codec/json/parse.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import { TextDocument, ValueDocument } from '../../machinery/codec/json/document.ts';
import { semanticDeepEqual } from '../../machinery/deep-equal.ts';
import { ApiError, internalError } from '../../machinery/errors.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import { decodeJsonPatch, OperationError, runJsonPatch } from '../../patch/json-patch.ts';
import type { AdmissionResponse } from '../../schema/types/admission-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { VersionedKind } from '../../server/object/versioned-kind.ts';

/** The patch of a response. Throws with why it cannot be read. */
export function* operationsOf({ patch = '' }: AdmissionResponse): Steps<readonly JsonObject[]> {
  if (patch === '') return [];
  const document = yield* TextDocument.reading(Buffer.from(patch, 'base64'));
  yield;
  const text = document.exactText();
  return decodeJsonPatch(mayHoldBigints(text) ? parseJson(text) : document.take(), { typed: false });
}

export interface Patched {
  readonly object: KubeObject;
  readonly isChanged: boolean;
}

/** The object with the patch applied, read again as what it is to be, with defaults. Throws what the client is to see. */
export function* patchObject(object: KubeObject, operations: readonly JsonObject[], versionedKind: VersionedKind): Steps<Patched> {
  try {
    const { value } = yield* runJsonPatch(object as JsonObject, operations);
    yield;
    const { object: patched } = versionedKind.decode('json', new ValueDocument(value), false);
    yield;
    const isChanged = !semanticDeepEqual(object, patched, versionedKind.profile.isTyped ? versionedKind.type : undefined);
    yield;
    versionedKind.applyDefaults(patched);
    return { object: patched, isChanged };
  } catch (error) {
    // The message for an unknown kind does not name what was expected instead.
    const fault = error instanceof ApiError && error.cause instanceof DecodeError ? error.cause : error;
    const isFault = fault instanceof OperationError || fault instanceof DecodeError || fault instanceof ApiError;
    throw isFault ? internalError(fault.message, { cause: error }) : error;
  }
}
