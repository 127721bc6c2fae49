// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go
import { append } from '../../machinery/append.ts';
import { allSteps } from '../../base/steps.ts';
import { runtimeBudget } from '../../cel/kubernetes/environments.ts';
import type { RuleSchema } from '../../cel/kubernetes/rule-tree.ts';
import { compileSchemaRules } from '../../cel/kubernetes/rule-tree.ts';
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { FieldPath } from '../../machinery/field.ts';
import { FieldError, aggregateMessage, invalid, omitValue } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { ValueValidator, writtenFormat } from '../values/compile.ts';
import type { SchemaNode } from '../schema/node.ts';
import { asResourceRoot, isJsonObject, metaFields, schemaNode } from '../schema/node.ts';
import type { ObjectMetas } from '../schema/object-meta.ts';
import { isPruned } from '../schema/pruning.ts';

interface Place {
  readonly root: JSONSchemaProps;
  /** from the root's object to the value: names, and true for an item of a list */
  readonly steps: readonly (string | true)[];
  readonly insideMeta: boolean;
}

/** What rules of all defaults of a definition may cost: they are evaluated at once. A value that a client sends may cost five times as much, as upstream. */
const budgetOfDefaults = runtimeBudget / 5;
const typeMeta = { apiVersion: 'validation/v1', kind: 'Validation' };

/** Defaults must be valid values of their schemas, with nothing in them that would be pruned. */
export class DefaultsValidation {
  readonly #metas: ObjectMetas;
  readonly #requirePruned: boolean;
  #budget = budgetOfDefaults;

  constructor(metas: ObjectMetas, requirePruned: boolean) {
    this.#metas = metas;
    this.#requirePruned = requirePruned;
  }

  validate(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
    return this.#visit(schema, path, { root: schema, steps: [], insideMeta: false }, true);
  }

  #visit(schema: JSONSchemaProps, path: FieldPath, place: Place, isRoot: boolean): FieldError[] {
    const isEmbedded = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    const here: Place = isEmbedded ? { root: schema, steps: [], insideMeta: false } : place;
    const errors =
      schema.default === undefined || schema.default === null ? [] : this.#validateDefault(schema, path.child('default'), here);
    if (this.#budget < 0) return errors;
    const { items } = schema;
    if (items && !Array.isArray(items)) {
      append(errors, this.#visit(items, path.child('items'), { ...here, steps: [...here.steps, true] }, false));
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (this.#budget < 0) break;
      const insideMeta = here.insideMeta || (isEmbedded && metaFields.has(name));
      append(
        errors,
        this.#visit(property, path.child('properties').key(name), { ...here, steps: [...here.steps, name], insideMeta }, false),
      );
    }
    return errors;
  }

  #validateDefault(schema: JSONSchemaProps, path: FieldPath, place: Place): FieldError[] {
    const value = deepCopy(schema.default) as unknown;
    const errors: FieldError[] = [];
    const shape = place.insideMeta
      ? this.#validateMeta(value, path, place)
      : this.#validateShape(value, schema, path, errors, schema === place.root);
    if (shape.length > 0) return [...errors, ...shape];
    const invalidValues = new ValueValidator(schema, writtenFormat).validate(schema.default, path);
    if (invalidValues.length > 0) return [...errors, ...invalidValues];
    return [...errors, ...this.#checkRules(schema, path, schema === place.root)];
  }

  #validateShape(value: unknown, schema: JSONSchemaProps, path: FieldPath, errors: FieldError[], isRoot: boolean): FieldError[] {
    const node = schemaNode(schema);
    const own: SchemaNode = isRoot ? asResourceRoot(node) : node;
    if (this.#requirePruned && !isPruned(value, own)) errors.push(invalid(path, schema.default, 'must not have unknown fields'));
    const coerced = this.#metas.coerce(path, value, own, { strict: false, dropInvalid: false });
    if (coerced instanceof FieldError) return [coerced];
    return this.#metas.validate(path, value, own);
  }

  /** A default in metadata is judged by the metadata that comes of it. */
  #validateMeta(value: unknown, path: FieldPath, { root, steps }: Place): FieldError[] {
    let object = value;
    for (const step of [...steps].reverse()) object = step === true ? [object] : { [step]: object };
    if (!isJsonObject(object)) return [];
    const complete = { ...typeMeta, ...object };
    const node = asResourceRoot(schemaNode(root));
    const coerced = this.#metas.coerce(undefined, complete, node, { strict: false, dropInvalid: false });
    if (coerced instanceof FieldError) return [invalid(path, value, `must result in valid metadata: ${coerced.toString()}`)];
    const errors = this.#metas.validate(undefined, complete, node);
    return errors.length === 0 ? [] : [invalid(path, value, `must result in valid metadata: ${aggregateMessage(errors)}`)];
  }

  /** As an unchanged value and as a new one: rules may tell them apart. */
  #checkRules(schema: JSONSchemaProps, path: FieldPath, isRoot: boolean): FieldError[] {
    const tree = compileSchemaRules(schema as RuleSchema, isRoot);
    if (tree === undefined) return [];
    const value: unknown = schema.default;
    let remaining = this.#budget;
    const check = (oldValue: unknown): FieldError[] => {
      const outcome = allSteps(tree.validate({ path, value, ...(oldValue !== undefined && { oldValue }), budget: this.#budget }));
      remaining = Math.min(remaining, outcome.remainingBudget);
      return outcome.failures.map(
        (failure) =>
          new FieldError(failure.reason, failure.path, failure.value === 'omitted' ? omitValue : failure.value.shown, failure.detail),
      );
    };
    const unchanged = check(value);
    const errors = unchanged.length > 0 ? unchanged : check(undefined);
    this.#budget = remaining;
    return errors;
  }
}
