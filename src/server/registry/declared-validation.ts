// Upstream: k8s.io/apiserver/pkg/registry/rest/validate.go, k8s.io/apimachinery/pkg/api/validate/errors.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { FieldError } from '../../machinery/field.ts';
import type { DeclarativeRules } from '../../schema/declarative/declarative-rules.ts';
import type { WriteContext } from './context.ts';
import type { KubeObject } from './definition.ts';
import { fromStorage } from './resource.ts';
import type { Resource } from './resource.ts';

/** The rules that the kind's type declares, at the version of the request. */
export type DeclaredValidation = (object: KubeObject, old: KubeObject | undefined, context: WriteContext) => readonly FieldError[];

const takeOver = 'DeclarativeValidationBeta';

export function declaredValidation(resource: Resource, rules: DeclarativeRules): DeclaredValidation {
  return (object, old, context) => {
    const versionedKind = resource.versions.get(context.version) ?? resource.storage;
    const { type } = versionedKind;
    if (type.ruled !== true) return [];
    if (resource.strategy.writesDeclaredRules && !context.features.enabled(takeOver)) return [];
    const options = resource.strategy.declaredOptions?.(object, old, context);
    // Hooks see the object in one version; fields and their rules may differ in another.
    const differs = versionedKind !== resource.storage && resource.definition.conversions !== undefined;
    const inVersion = (one: KubeObject): KubeObject => (differs ? fromStorage(resource, versionedKind, deepCopy(one)) : one);
    const option = (name: string): boolean => options?.[name] ?? context.features.enabled(name);
    return rules.validate(type, inVersion(object), old && inVersion(old), option);
  };
}

/**
 * Declared errors come last. What a kind wrote by hand and a declared rule finds too is left to the declared one; with the gate off it is
 * the other way round. Then too a declared error counts where the kind wrote nothing: no object gets by without a rule.
 */
export function withDeclared(written: readonly FieldError[], declared: readonly FieldError[], { features }: WriteContext): FieldError[] {
  if (declared.length === 0) return [...written];
  if (features.enabled(takeOver)) {
    const known = new Faults(declared);
    return [...written.filter((error, index) => index >= mostWorded || !known.has(error)), ...declared];
  }
  const known = new Faults(written);
  return [...written, ...declared.filter((error, index) => index >= mostWorded || !known.has(error))];
}

/**
 * Errors by what makes two the same fault: the same words, or the same field and kind and rule. Only an invalid value may be so for many
 * reasons. Both lists may be as long as a body has room for, so they are not compared each with each.
 */
class Faults {
  readonly #errors: readonly FieldError[];
  readonly #rules = new Set<string>();
  #words: Set<string> | undefined;

  constructor(errors: readonly FieldError[]) {
    this.#errors = errors;
    for (const error of errors.slice(0, 2 * mostWorded)) this.#rules.add(ruleOf(error));
  }

  has(error: FieldError): boolean {
    if ((error.origin !== undefined || error.type !== 'FieldValueInvalid') && this.#rules.has(ruleOf(error))) return true;
    this.#words ??= new Set(this.#errors.slice(0, mostWorded).map(wordsOf));
    return this.#words.has(wordsOf(error));
  }
}

/** Longer lists are of no use, and end in the response too. */
const mostWorded = 10_000;

function ruleOf({ type, field, origin }: FieldError): string {
  return `${type} ${field} ${origin ?? ''}`;
}

function wordsOf(error: FieldError): string {
  return `${error.type} ${error.field} ${error.body}`;
}
