// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go

import type { Steps } from '../../base/steps.ts';
import type { FieldPath } from '../../machinery/field.ts';
import type { DeclaredType } from '../declared-types.ts';
import type { Activation, Budget, Evaluation, Program } from '../index.ts';
import { evaluateInParts, evaluateQuickly } from '../index.ts';
import type { OpenApiSchema } from '../schema-types.ts';
import { schemaAdapter, schemaType, withTypeAndObjectMeta } from '../schema-types.ts';
import type { Adapter } from '../schema-values.ts';
import type { Value } from '../values.ts';
import { Optional } from '../values.ts';
import { Correlation, Ratchet } from './correlation.ts';
import { maxMessageSize, perCallLimit } from './environments.ts';
import { mapListOf } from './map-list.ts';
import type { CompiledRule, ValidationRule } from './rules.ts';
import { compilingRules, selfTypeName } from './rules.ts';

/** A schema whose nodes may carry rules. */
export interface RuleSchema extends OpenApiSchema {
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly additionalProperties?: RuleSchema | boolean;
  readonly items?: RuleSchema;
  readonly allOf?: readonly RuleSchema[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

export type RuleFailureReason =
  | 'FieldValueInvalid'
  | 'FieldValueForbidden'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'InternalError';

/** A rule that does not hold, or could not be decided. */
export interface RuleFailure {
  readonly path: FieldPath;
  readonly reason: RuleFailureReason;
  readonly detail: string;
  /** What to show as the bad value: the value itself, its type's name, or nothing for objects and arrays. */
  readonly value: { readonly shown: unknown } | 'omitted';
  /** The value has not changed, so an update is let through with a warning. */
  readonly isRatcheted: boolean;
}

export interface RuleOutcome {
  readonly failures: RuleFailure[];
  /** Negative when the budget ran out: nothing more is to be validated. */
  readonly remainingBudget: number;
}

export interface RuleInput {
  readonly path: FieldPath;
  readonly value: unknown;
  readonly oldValue?: unknown;
  readonly budget: number;
  /** Let violations pass where the value is unchanged. */
  readonly ratchets?: boolean;
}

const budgetOfCall: Budget = { limit: perCallLimit };
const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** All rules of a schema, compiled. Undefined for a schema without rules. */
export function compileSchemaRules(schema: RuleSchema, isResourceRoot: boolean): RuleTree | undefined {
  return hasRules(schema) ? makeTree(schema, schema, isResourceRoot, true) : undefined;
}

function hasRules(schema: RuleSchema | undefined): boolean {
  if (!schema) return false;
  if ((schema['x-kubernetes-validations']?.length ?? 0) > 0 || hasRules(schema.items)) return true;
  if (typeof schema.additionalProperties === 'object' && hasRules(schema.additionalProperties)) return true;
  return Object.values(schema.properties ?? {}).some(hasRules) || (schema.allOf ?? []).some(hasRules);
}

/**
 * `rulesOf` has the rules, `node` the shape: they differ below an allOf. `isReached`: expressions of the parent see the value. They do
 * not see items of what is no list; rules of such items fail, and those of properties further below are skipped, as upstream does.
 */
function makeTree(rulesOf: RuleSchema, node: RuleSchema, isRoot: boolean, isReached: boolean): RuleTree | undefined {
  const rules = rulesOf['x-kubernetes-validations'] ?? [];
  const type = rules.length > 0 && isReached ? schemaType(node, selfTypeName, isRoot) : undefined;
  const isEmbedded = (schema: RuleSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;
  const hasElements = isReached && (node.type === 'array' || (node.type === 'object' && typeof node.additionalProperties === 'object'));
  const items = rulesOf.items && node.items && makeTree(rulesOf.items, node.items, isEmbedded(node.items), hasElements);
  const values = rulesOf.additionalProperties;
  const nodeValues = node.additionalProperties;
  const additional =
    typeof values === 'object' && typeof nodeValues === 'object'
      ? makeTree(values, nodeValues, isEmbedded(nodeValues), hasElements)
      : undefined;
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(rulesOf.properties ?? {})) {
    const shape = node.properties?.[name];
    // Expressions cannot see properties without a type, and upstream then skips their rules as well.
    const tree = shape && isReached && isTyped(shape) ? makeTree(property, shape, isEmbedded(shape), true) : undefined;
    if (tree) properties.set(name, tree);
  }
  const allOf = (rulesOf.allOf ?? []).flatMap((nested) => makeTree(nested, node, isRoot, isReached) ?? []);
  if (rules.length === 0 && !items && !additional && properties.size === 0 && allOf.length === 0) return undefined;
  return new RuleTree({ rules, schema: node, type, isRoot, items, additional, properties, allOf });
}

function isTyped(schema: OpenApiSchema): boolean {
  if (schema['x-kubernetes-int-or-string']) return true;
  if (schema.type === 'array') return schema.items !== undefined && isTyped(schema.items);
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return isTyped(schema.additionalProperties);
  return schema.type !== undefined;
}

interface TreeParts {
  readonly rules: readonly ValidationRule[];
  readonly schema: RuleSchema;
  readonly type: DeclaredType | undefined;
  readonly isRoot: boolean;
  readonly items: RuleTree | undefined;
  readonly additional: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly allOf: readonly RuleTree[];
}

/** So long may validation go on before it pauses. */
const sliceMs = 4;
/** After so much more cost the clock is looked at again. */
const costBetweenLooks = 64;

/** Where validation stands: the budget left and the failures found. */
class Run {
  readonly failures: RuleFailure[] = [];
  remaining: number;
  #until = performance.now() + sliceMs;
  #lookBelow: number;

  constructor(budget: number) {
    this.remaining = budget;
    this.#lookBelow = budget - costBetweenLooks;
  }

  get isOver(): boolean {
    return this.remaining < 0;
  }

  get isDue(): boolean {
    if (this.remaining >= this.#lookBelow) return false;
    this.#lookBelow = this.remaining - costBetweenLooks;
    return performance.now() >= this.#until;
  }

  *pause(): Steps<void> {
    yield;
    this.#until = performance.now() + sliceMs;
  }
}

/** What is left to do of something that could not be done at once; undefined: nothing. */
type Rest = Steps<void> | undefined;

/** Visits one after the other, by index; at once if that is short. */
function visitEach(run: Run, count: number, visit: (index: number) => Rest): Rest {
  for (let index = 0; index < count; index++) {
    const rest = visit(index) ?? (run.isDue ? run.pause() : undefined);
    if (rest !== undefined) return visitOthers(run, index + 1, count, visit, rest);
    if (run.isOver) return undefined;
  }
  return undefined;
}

function* visitOthers(run: Run, from: number, count: number, visit: (index: number) => Rest, first: Steps<void>): Steps<void> {
  yield* first;
  for (let index = from; index < count && !run.isOver; index++) {
    const rest = visit(index);
    if (rest !== undefined) yield* rest;
    else if (run.isDue) yield* run.pause();
  }
}

export class RuleTree {
  readonly #parts: TreeParts;
  #compiled: readonly CompiledRule[] | undefined;
  readonly #adapt: Adapter;

  constructor(parts: TreeParts) {
    this.#parts = parts;
    this.#adapt = schemaAdapter(parts.isRoot ? withTypeAndObjectMeta(parts.schema) : parts.schema);
  }

  /** Validates a value against all rules at and below this node; pauses where that takes long. */
  *validate({ path, value, oldValue, budget, ratchets }: RuleInput): Steps<RuleOutcome> {
    const run = new Run(budget);
    const correlation = ratchets ? new Correlation(value, oldValue, this.#parts.schema) : undefined;
    const rest = this.#visit(run, path, value, oldValue, new Ratchet(correlation, undefined));
    if (rest !== undefined) yield* rest;
    return { failures: run.failures, remainingBudget: run.remaining };
  }

  #visit(run: Run, path: FieldPath, value: unknown, oldValue: unknown, ratchet: Ratchet): Rest {
    if (value === null || value === undefined) return undefined;
    const rest = this.#parts.rules.length === 0 ? undefined : this.#checkRules(run, path, value, oldValue ?? undefined, ratchet);
    if (rest !== undefined || this.#parts.allOf.length > 0) return this.#visitNext(rest, run, path, value, oldValue, ratchet);
    return run.isOver ? undefined : this.#visitParts(run, path, value, oldValue, ratchet);
  }

  *#visitNext(rules: Rest, run: Run, path: FieldPath, value: unknown, oldValue: unknown, ratchet: Ratchet): Steps<void> {
    if (rules !== undefined) yield* rules;
    for (const nested of this.#parts.allOf) {
      if (run.isOver) return;
      const rest = nested.#visit(run, path, value, oldValue, new Ratchet(undefined, ratchet.parent));
      if (rest !== undefined) yield* rest;
    }
    if (run.isOver) return;
    const rest = this.#visitParts(run, path, value, oldValue, ratchet);
    if (rest !== undefined) yield* rest;
  }

  #visitParts(run: Run, path: FieldPath, value: unknown, oldValue: unknown, ratchet: Ratchet): Rest {
    if (Array.isArray(value)) return this.#visitItems(run, path, value, Array.isArray(oldValue) ? oldValue : [], ratchet);
    if (typeof value !== 'object' || value === null) return undefined;
    return this.#visitProperties(run, path, value, isObject(oldValue) ? oldValue : {}, ratchet);
  }

  #visitItems(run: Run, path: FieldPath, items: readonly unknown[], oldItems: readonly unknown[], ratchet: Ratchet): Rest {
    const tree = this.#parts.items;
    if (!tree) return undefined;
    const oldByKey = mapListOf(this.#parts.schema, oldItems);
    return visitEach(run, items.length, (i) => tree.#visit(run, path.index(i), items[i], oldByKey(items[i]), ratchet.index(i)));
  }

  #visitProperties(run: Run, path: FieldPath, value: object, oldValue: Readonly<Record<string, unknown>>, ratchet: Ratchet): Rest {
    const { additional, properties, schema } = this.#parts;
    if (additional === undefined && properties.size === 0) return undefined;
    const mapKind = schema['x-kubernetes-map-type'] ?? 'granular';
    const isCorrelatable = mapKind === 'granular' || mapKind === 'atomic';
    const names = Object.keys(value);
    return visitEach(run, names.length, (index) => {
      const name = names[index]!;
      const property = (value as Readonly<Record<string, unknown>>)[name];
      const tree = additional ?? properties.get(name);
      if (!tree) return undefined;
      const old = isCorrelatable && Object.hasOwn(oldValue, name) ? oldValue[name] : undefined;
      return tree.#visit(run, additional ? path.key(name) : path.child(name), property, old, ratchet.key(name));
    });
  }

  #checkRules(run: Run, path: FieldPath, value: unknown, oldValue: unknown, ratchet: Ratchet): Rest {
    const typeName = { shown: this.#parts.schema.type ?? '' };
    const fail = (detail: string): void => {
      run.failures.push({ path, reason: 'FieldValueInvalid', detail, value: typeName, isRatcheted: false });
    };
    if (!this.#parts.type) {
      fail('rule compiler initialization error: failed to convert to declType for CEL validation rules');
      return undefined;
    }
    if (run.remaining <= 0) {
      fail(outOfBudget);
      run.remaining = -1;
      return undefined;
    }
    const rules = this.#compiled;
    if (rules === undefined) return this.#compileAndCheck(this.#parts.type, run, path, value, oldValue, ratchet);
    const activations = this.#activations(rules, value, oldValue);
    const place = { path, value, hasOld: oldValue !== undefined, ratchet, fail };
    if (rules.length === 1) return this.#checkRule(run, rules[0]!, activations, place);
    return visitEach(run, rules.length, (index) => this.#checkRule(run, rules[index]!, activations, place));
  }

  /** Rules are compiled when the first value comes along. */
  *#compileAndCheck(type: DeclaredType, run: Run, path: FieldPath, value: unknown, oldValue: unknown, ratchet: Ratchet): Steps<void> {
    this.#compiled = yield* compilingRules(this.#parts.rules, this.#parts.schema, type, 'stored');
    const rest = this.#checkRules(run, path, value, oldValue, ratchet);
    if (rest !== undefined) yield* rest;
  }

  #activations(rules: readonly CompiledRule[], value: unknown, oldValue: unknown): { plain: Activation; optional: Activation } {
    const self = this.#adapt(value);
    if (!rules.some((rule) => rule.usesOldSelf)) return { plain: { self }, optional: { self } };
    const oldSelf = oldValue === undefined ? undefined : this.#adapt(oldValue);
    return { plain: { self, oldSelf }, optional: { self, oldSelf: oldSelf === undefined ? Optional.none : new Optional(oldSelf) } };
  }

  #checkRule(run: Run, compiled: CompiledRule, activations: { plain: Activation; optional: Activation }, at: Place): Rest {
    const { rule, program } = compiled;
    if (compiled.error !== undefined) at.fail(`rule compile error: ${compiled.error}`);
    // A transition rule has nothing to say about what was not there before.
    if (!program || (compiled.usesOldSelf && !at.hasOld && !rule.optionalOldSelf)) return undefined;
    const activation = rule.optionalOldSelf ? activations.optional : activations.plain;
    const outcome = evaluateQuickly(program, activation, budgetOfCall);
    if (outcome === undefined) return this.#checkInParts(run, compiled, program, activation, activations.plain, at);
    return this.#judge(run, compiled, outcome, activations.plain, at);
  }

  *#checkInParts(run: Run, compiled: CompiledRule, program: Program, activation: Activation, plain: Activation, at: Place): Steps<void> {
    const rest = this.#judge(run, compiled, yield* evaluateInParts(program, activation, budgetOfCall), plain, at);
    if (rest !== undefined) yield* rest;
  }

  #judge(run: Run, compiled: CompiledRule, outcome: Evaluation, plain: Activation, at: Place): Rest {
    if (outcome.cost > run.remaining) {
      at.fail(outOfBudget);
      run.remaining = -1;
      return undefined;
    }
    run.remaining -= outcome.cost;
    if ('error' in outcome) {
      at.fail(evaluationError(outcome.error, compiled.rule));
      if (outcome.reason === 'cost') run.remaining = -1;
      return undefined;
    }
    return outcome.value === true ? undefined : this.#violate(run, compiled, plain, at);
  }

  *#violate(run: Run, compiled: CompiledRule, activation: Activation, { path, value, ratchet }: Place): Steps<void> {
    const target = compiled.fieldPath ? path.child(String(compiled.fieldPath)) : path;
    const isRatcheted = !compiled.usesOldSelf && ratchet.isUnchanged;
    const message = compiled.messageProgram ? yield* this.#message(run, compiled, activation) : undefined;
    if (message && 'fatal' in message) {
      run.failures.push({
        path: target,
        reason: 'FieldValueInvalid',
        detail: message.fatal,
        value: { shown: this.#parts.schema.type },
        isRatcheted,
      });
      run.remaining = -1;
      return;
    }
    const isCompound = this.#parts.schema.type === 'object' || this.#parts.schema.type === 'array';
    run.failures.push({
      path: target,
      reason: (compiled.rule.reason as RuleFailureReason | undefined) ?? 'FieldValueInvalid',
      detail: message?.text ?? compiled.rule.message?.trim() ?? `failed rule: ${compiled.rule.rule.trim()}`,
      value: isCompound ? 'omitted' : { shown: value },
      isRatcheted,
    });
  }

  /** The text of a messageExpression; undefined when it fails in a way that the rule's own message covers. */
  *#message(run: Run, compiled: CompiledRule, activation: Activation): Steps<{ text: string } | { fatal: string } | undefined> {
    const quoted = JSON.stringify(compiled.rule.messageExpression);
    const program = compiled.messageProgram!;
    const outcome = evaluateQuickly(program, activation, budgetOfCall) ?? (yield* evaluateInParts(program, activation, budgetOfCall));
    if (outcome.cost > run.remaining)
      return { fatal: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run' };
    if ('error' in outcome && outcome.reason === 'cost')
      return { fatal: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoted}` };
    run.remaining -= outcome.cost;
    return 'error' in outcome ? undefined : usableMessage(outcome.value);
  }
}

interface Place {
  readonly path: FieldPath;
  readonly value: unknown;
  readonly hasOld: boolean;
  readonly ratchet: Ratchet;
  readonly fail: (detail: string) => void;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function usableMessage(value: Value): { text: string } | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > maxMessageSize ? undefined : { text };
}

function evaluationError(error: string, rule: ValidationRule): string {
  const named = (rule.message ?? '') === '' ? rule.rule.trim() : rule.message!.trim();
  if (error.startsWith('no such overload'))
    return `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${named}`;
  if (error.startsWith('operation cancelled: actual cost limit exceeded'))
    return `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${named}`;
  return `${error} evaluating rule: ${named}`;
}
