// Upstream: k8s.io/apiserver/pkg/admission/plugin/cel/{compile,composition}.go
import type { Steps } from '../../base/steps.ts';
import { allSteps } from '../../base/steps.ts';
import type { DeclaredType } from '../declared-types.ts';
import { declared } from '../declared-types.ts';
import type { Environment } from '../environment.ts';
import type { Program } from '../index.ts';
import { compiling } from '../index.ts';
import type { Use } from './environments.ts';
import { admissionEnvironment } from './variables.ts';
import type { CelType, TypeKind } from '../types.ts';
import { dynType, listOf, mapOf, sameType } from '../types.ts';

export interface ExpressionOptions {
  /** what it must evaluate to; undefined: anything */
  readonly returns?: readonly CelType[];
  /** an expression that stands in the stored object already may use more than a new one */
  readonly use: Use;
  /** default true */
  readonly hasAuthorizer?: boolean;
  readonly hasPatches?: boolean;
}

export interface CompilerOptions {
  readonly hasParams: boolean;
  /** whether there is a `variables`, be it an empty one */
  readonly hasVariables: boolean;
}

export type CompiledExpression = RunnableExpression | BrokenExpression;

export interface RunnableExpression {
  readonly expression: string;
  readonly program: Program;
}

export interface BrokenExpression {
  readonly expression: string;
  readonly error: string;
  /** it is a sound expression that cannot be run, as `int('x')` cannot */
  readonly isInternal: boolean;
}

const simpleKinds: ReadonlySet<TypeKind> = new Set([
  'any',
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
]);

/** Compiles the expressions of one object, in order: variables are known to what follows them. */
export class AdmissionCompiler {
  readonly #options: CompilerOptions;
  readonly #variables = new Map<string, DeclaredType>();
  /** made once each: they see variables that are defined later, of which there may be thousands */
  readonly #environments = new Map<string, Environment>();

  constructor(options: CompilerOptions) {
    this.#options = options;
  }

  compile(expression: string, options: ExpressionOptions): CompiledExpression {
    return allSteps(this.compiling(expression, options));
  }

  *compiling(expression: string, { use, returns, hasAuthorizer = true, hasPatches = false }: ExpressionOptions): Steps<CompiledExpression> {
    const compiled = yield* compiling(expression, this.#environment(use, hasAuthorizer, hasPatches));
    if ('issues' in compiled) return { expression, error: `compilation failed: ${compiled.issues}`, isInternal: false };
    const type = 'program' in compiled ? compiled.program.resultType : compiled.resultType;
    if (returns !== undefined && !returns.some((wanted) => sameType(wanted, type))) {
      return { expression, error: `must evaluate to ${wantedTypes(returns)} but got ${typeName(type)}`, isInternal: false };
    }
    if ('failure' in compiled) return { expression, error: `program instantiation failed: ${compiled.failure}`, isInternal: true };
    return { expression, program: compiled.program };
  }

  /** A variable that does not compile is there all the same, and of any type. */
  define(name: string, expression: string, use: Use): CompiledExpression {
    return allSteps(this.defining(name, expression, use));
  }

  *defining(name: string, expression: string, use: Use): Steps<CompiledExpression> {
    const compiled = yield* this.compiling(expression, { use });
    const celType = 'program' in compiled ? variableType(compiled.program.resultType) : dynType;
    this.#variables.set(name, { ...declared.dyn, celType });
    return compiled;
  }

  #environment(use: Use, hasAuthorizer: boolean, hasPatches: boolean): Environment {
    const key = `${use} ${hasAuthorizer} ${hasPatches}`;
    const known = this.#environments.get(key);
    if (known !== undefined) return known;
    const { hasParams, hasVariables } = this.#options;
    const variables = hasVariables ? { variables: { ...declared.object('kubernetes.variables', {}), fields: this.#variables } } : {};
    const made = admissionEnvironment(use, { hasParams, hasAuthorizer, hasPatches, ...variables });
    this.#environments.set(key, made);
    return made;
  }
}

/** Variables keep simple types and lists and maps of them; of the rest nothing is known. */
export function variableType(type: CelType): CelType {
  if (type.nullable) return dynType;
  const [first, second] = type.parameters;
  if (type.kind === 'list' && first !== undefined) return listOf(variableType(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined) return mapOf(variableType(first), variableType(second));
  return simpleKinds.has(type.kind) ? type : dynType;
}

function wantedTypes(types: readonly CelType[]): string {
  const names = types.map(typeName);
  return names.length === 1 ? names.join() : `one of [${names.join(' ')}]`;
}

/** The name that a type was declared with, not the one that the checker's messages use. */
export function typeName({ kind, name, nullable, parameters }: CelType): string {
  if (kind === 'param') return `<${name}>`;
  const own = nullable ? `wrapper(${name})` : name;
  return parameters.length === 0 ? own : `${own}(${parameters.map(typeName).join(', ')})`;
}
