// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/{json_patch,smd}.go
import type { Steps } from '../../base/steps.ts';
import { stepByStep } from '../../base/steps.ts';
import { runtimeBudget } from '../../cel/kubernetes/environments.ts';
import { misnamedObjects, nativeJson } from '../../cel/kubernetes/native.ts';
import { JsonPatchOperation, jsonPatchType, objectType } from '../../cel/kubernetes/patch-types.ts';
import { listOf } from '../../cel/types.ts';
import type { Value } from '../../cel/values.ts';
import { CelError, CelList } from '../../cel/values.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import { ValueDocument } from '../../machinery/codec/json/document.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import { internalError } from '../../machinery/errors.ts';
import { atomicPaths } from '../../patch/apply/atomics.ts';
import { ElementError } from '../../patch/apply/list-element.ts';
import { mergeObjects } from '../../patch/apply/merge.ts';
import type { Shapes } from '../../patch/apply/shape.ts';
import { ShapeError, validateShape } from '../../patch/apply/validate.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import { OperationError, runJsonPatch } from '../../patch/json-patch.ts';
import type { Mutation as MutationSpec } from '../../schema/types/admissionregistration-v1.ts';
import type { AdmissionCompiler, CompiledExpression } from '../../cel/kubernetes/expression-compiler.ts';
import type { ExpressionInputs } from '../../server/admission/expressions/evaluation.ts';
import { Evaluation } from '../../server/admission/expressions/evaluation.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { VersionedKind } from '../../server/object/versioned-kind.ts';

/** What is wrong with a mutation, for the failure policy to judge. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}

/** An object that is to be changed, and how its kind is read. */
export interface Subject {
  readonly object: KubeObject;
  readonly versionedKind: VersionedKind;
  /** it is of another group than the resource whose subresource it is; upstream finds no schema of it */
  readonly isForeign: boolean;
  readonly shapes: Shapes;
}

/** One mutation of a policy: an expression that makes a patch. */
export class Mutation {
  readonly #expression: CompiledExpression;
  readonly #apply: (value: Value, subject: Subject) => Steps<KubeObject>;

  constructor({ patchType, jsonPatch, applyConfiguration }: MutationSpec, compiler: AdmissionCompiler) {
    const isJsonPatch = patchType === 'JSONPatch';
    const expression = (isJsonPatch ? jsonPatch : applyConfiguration)?.expression ?? '';
    const returns = [isJsonPatch ? listOf(jsonPatchType) : objectType];
    this.#expression = compiler.compile(expression, { use: 'stored', returns, hasPatches: true });
    this.#apply = isJsonPatch ? applyOperations : applyConfigurationObject;
  }

  /** The changed object, defaulted; it may share parts with the old one. Throws MutationError, OutOfBudgetError, or a refusal. */
  async apply(inputs: ExpressionInputs, subject: Subject): Promise<KubeObject> {
    if (!('program' in this.#expression)) throw new MutationError(this.#expression.error);
    const outcome = await new Evaluation(inputs, runtimeBudget).evaluate(this.#expression);
    if ('error' in outcome) throw new MutationError(outcome.error);
    const changed = await stepByStep(this.#apply(outcome.value, subject));
    subject.versionedKind.applyDefaults(changed);
    return changed;
  }
}

function* applyOperations(value: Value, { object, versionedKind }: Subject): Steps<KubeObject> {
  const operations = [...(value as CelList)].map((operation) => operationOf(operation as JsonPatchOperation));
  let patched: unknown;
  try {
    patched = (yield* runJsonPatch(object as JsonObject, operations)).value;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // A test that fails is how a patch says that it does not apply.
    if (error.isFailedTest) return deepCopy(object);
    throw new MutationError(`JSON Patch: ${error.message}`);
  }
  yield;
  return read(versionedKind, patched);
}

function operationOf({ texts, value }: JsonPatchOperation): JsonObject {
  const { op, path, from } = texts;
  const operation = { op, path, ...(from !== '' && { from }) };
  if (value === undefined) return operation;
  requireNames(value);
  const json = nativeJson(value);
  if (json instanceof CelError) {
    throw new MutationError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${json.message}`);
  }
  return { ...operation, value: json };
}

/** Strictly, and what cannot be read is our own fault: upstream's words, whatever the failure policy. */
function read(versionedKind: VersionedKind, patched: unknown): KubeObject {
  try {
    const { object, strictErrors } = versionedKind.decode('json', new ValueDocument(patched), true);
    if (strictErrors.length > 0) throw internalError(`strict decoding error: ${strictErrors.join(', ')}`);
    return object;
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message, { cause: error }) : error;
  }
}

function* applyConfigurationObject(value: Value, { object, versionedKind, isForeign, shapes }: Subject): Steps<KubeObject> {
  requireNames(value);
  const json = nativeJson(value);
  if (json instanceof CelError) throw new MutationError('invalid return type: *dynamic.ObjectVal');
  const { kind, apiVersion } = object;
  const config = { ...(json as JsonObject), apiVersion, kind };
  if (isForeign) {
    throw applyError(`failed to convert patch object to typed object: no corresponding type for ${apiVersion}, Kind=${kind}`);
  }
  const shape = shapes.of(versionedKind.type);
  const live = object as JsonObject;
  attempt('failed to convert patch object to typed object', () => validateShape(shape, config, { allowDuplicates: false }));
  yield;
  const atomics = atomicPaths(shape, config);
  if (atomics.length > 0) {
    throw applyError(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  }
  attempt('failed to convert original object to typed object', () => validateShape(shape, live, { allowDuplicates: true }));
  yield;
  const merged = attempt('failed to merge patch', () => mergeObjects(shape, live, config));
  yield;
  return attempt('failed to convert typed object to object', () => versionedKind.decodeMerged(merged));
}

function attempt<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ShapeError || error instanceof ElementError || error instanceof DecodeError) {
      throw applyError(`${what}: ${error.message}`);
    }
    throw error;
  }
}

function applyError(message: string): MutationError {
  return new MutationError(`error applying patch: ${message}`);
}

function requireNames(value: Value): void {
  const errors = misnamedObjects(value);
  if (errors.length > 0) throw new MutationError(`type mismatch: ${errors.join('\n')}`);
}
