// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresource/{strategy,status_strategy,validator}.go
import { runtimeBudget } from '../../cel/kubernetes/environments.ts';
import type { RuleFailure, RuleSchema, RuleTree } from '../../cel/kubernetes/rule-tree.ts';
import { compileSchemaRules } from '../../cel/kubernetes/rule-tree.ts';
import type { Steps } from '../../base/steps.ts';
import type { CelMetrics } from './cel-metrics.ts';
import type { FieldErrorType, FieldLocation } from '../../machinery/field.ts';
import { FieldError, FieldPath, invalid, omitValue } from '../../machinery/field.ts';
import { nameIsDnsSubdomain } from '../../machinery/names.ts';
import { distinctErrors } from '../../machinery/distinct-errors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../machinery/object-meta-validation.ts';
import type { CustomResourceSubresourceScale, JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import type { WriteContext } from '../../server/registry/context.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ObjectMetas } from '../schema/object-meta.ts';
import { validateListTypes } from '../schema/list-types.ts';
import { ValueValidator } from '../values/compile.ts';
import type { CustomVersionedKind } from './custom-versioned-kind.ts';
import { validateScaleSpec, validateScaleStatus } from './scale.ts';

/** Rules are not worth checking on an object that is malformed in one of these ways. */
const blocking: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const metadataPath = FieldPath.root('metadata');
const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** What a version's schema demands of objects. Compiled when the first object comes along. */
export class CustomValidation {
  readonly #versionedKind: CustomVersionedKind;
  readonly #scale: CustomResourceSubresourceScale | undefined;
  readonly #metas: ObjectMetas;
  readonly #namespaced: boolean;
  readonly #metrics: CelMetrics | undefined;
  #values: ValueValidator | undefined;
  #statusValues: ValueValidator | undefined;
  #rules: { readonly tree: RuleTree | undefined } | undefined;

  constructor(
    versionedKind: CustomVersionedKind,
    scale: CustomResourceSubresourceScale | undefined,
    metas: ObjectMetas,
    namespaced: boolean,
    metrics?: CelMetrics,
  ) {
    this.#versionedKind = versionedKind;
    this.#scale = scale;
    this.#metas = metas;
    this.#namespaced = namespaced;
    this.#metrics = metrics;
  }

  *validate(object: KubeObject, context: WriteContext): Steps<FieldError[]> {
    const typeErrors = this.#validateTypeMeta(object);
    if (typeErrors.length > 0) return typeErrors;
    const validator = this.#validator();
    const errors = [
      ...distinctErrors(validateObjectMeta(object.metadata, this.#namespaced, nameIsDnsSubdomain, metadataPath)),
      ...(validator === undefined ? [] : yield* validator.validateInSteps(object)),
      ...this.#validateScale(object),
      ...this.#metas.validate(undefined, object, this.#node),
      ...(yield* validateListTypes(object, this.#node)),
    ];
    yield;
    return [...errors, ...(yield* this.#checkRules(errors, object, undefined, context))];
  }

  *validateUpdate(object: KubeObject, old: KubeObject, context: WriteContext): Steps<FieldError[]> {
    const typeErrors = this.#validateTypeMeta(object);
    if (typeErrors.length > 0) return typeErrors;
    const validator = this.#validator();
    const errors = [
      ...distinctErrors(validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath)),
      ...(validator === undefined ? [] : yield* validator.validateUpdate(object, old)),
      ...this.#validateScale(object),
      ...this.#metas.validate(undefined, object, this.#node),
      ...(yield* this.#validateListTypesUpdate(object, old)),
    ];
    yield;
    return [...errors, ...(yield* this.#checkRules(errors, object, old, context))];
  }

  *validateStatusUpdate(object: KubeObject, old: KubeObject, context: WriteContext): Steps<FieldError[]> {
    const typeErrors = this.#validateTypeMeta(object);
    if (typeErrors.length > 0) return typeErrors;
    const status = object['status'];
    const validator = status === undefined ? undefined : this.#statusValidator();
    const errors = [
      ...distinctErrors(validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath)),
      ...(validator === undefined ? [] : yield* validator.validateUpdate(status, old['status'], FieldPath.root('status'))),
      ...(this.#scale === undefined ? [] : validateScaleStatus(object, this.#scale)),
      ...(yield* this.#validateListTypesUpdate(object, old)),
    ];
    yield;
    return [...errors, ...(yield* this.#checkRules(errors, object, old, context))];
  }

  get #node(): CustomVersionedKind['schema']['node'] {
    return this.#versionedKind.schema.node;
  }

  #validator(): ValueValidator | undefined {
    const { schema } = this.#versionedKind.schema;
    return schema && (this.#values ??= new ValueValidator(schema));
  }

  #statusValidator(): ValueValidator | undefined {
    const status: JSONSchemaProps | undefined = this.#versionedKind.schema.schema?.properties?.['status'];
    return status && (this.#statusValues ??= new ValueValidator(status));
  }

  #validateTypeMeta({ kind, apiVersion }: KubeObject): FieldError[] {
    const expected = this.#versionedKind;
    const errors: FieldError[] = [];
    if (kind !== expected.kind) errors.push(invalid(FieldPath.root('kind'), kind ?? '', `must be ${expected.kind}`));
    if (apiVersion !== expected.apiVersion)
      errors.push(invalid(FieldPath.root('apiVersion'), apiVersion ?? '', `must be ${expected.apiVersion}`));
    return errors;
  }

  #validateScale(object: KubeObject): FieldError[] {
    return this.#scale === undefined ? [] : [...validateScaleSpec(object, this.#scale), ...validateScaleStatus(object, this.#scale)];
  }

  /** What had duplicates before may keep them. */
  *#validateListTypesUpdate(object: KubeObject, old: KubeObject): Steps<FieldError[]> {
    const errors = yield* validateListTypes(object, this.#node);
    return errors.length > 0 && (yield* validateListTypes(old, this.#node)).length === 0 ? errors : [];
  }

  *#checkRules(found: readonly FieldError[], object: KubeObject, old: KubeObject | undefined, context: WriteContext): Steps<FieldError[]> {
    const { schema } = this.#versionedKind.schema;
    if (schema === undefined) return [];
    const { tree } = (this.#rules ??= { tree: this.#compileRules(schema) });
    if (tree === undefined) return [];
    if (found.some(({ type }) => blocking.has(type))) return [invalid(undefined, null, notChecked)];
    const began = performance.now();
    const { failures } = yield* tree.validate({
      path: root,
      value: object,
      ...(old !== undefined && { oldValue: old, ratchets: true }),
      budget: runtimeBudget,
    });
    this.#metrics?.evaluation.observe((performance.now() - began) / 1000);
    const errors: FieldError[] = [];
    for (const failure of failures) {
      const error = ruleError(failure);
      if (failure.isRatcheted) context.warn(error.toString());
      else errors.push(error);
    }
    return errors;
  }

  #compileRules(schema: JSONSchemaProps): RuleTree | undefined {
    const began = performance.now();
    const tree = compileSchemaRules(schema as RuleSchema, true);
    this.#metrics?.compilation.observe((performance.now() - began) / 1000);
    return tree;
  }
}

/** Stands for the object itself, which has no name; see `locationOf`. */
const root = FieldPath.root('\0');

export function locationOf(path: FieldPath): FieldLocation {
  const text = path.toString().slice(1);
  return text === '' ? undefined : text.startsWith('.') ? text.slice(1) : text;
}

function ruleError({ path, reason, detail, value }: RuleFailure): FieldError {
  return new FieldError(reason, locationOf(path), value === 'omitted' ? omitValue : value.shown, detail);
}
