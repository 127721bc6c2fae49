// Upstream: github.com/google/cel-go/cel/env.go, github.com/google/cel-go/checker/env.go, github.com/google/cel-go/common/containers/container.go

import type { Macro } from './builder.ts';
import { macroKey } from './builder.ts';
import type { CallCost, CallEstimator } from './cost-model.ts';
import type { FunctionDeclaration, Library } from './declarations.ts';
import type { Syntax } from './expand.ts';
import type { CelType } from './types.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from './types.ts';
import type { Value } from './values.ts';
import { wellKnownTypes } from './well-known.ts';

/** Knows the object types of an environment. */
export interface TypeProvider {
  /** The type of that name, if objects of it may be selected from or constructed. */
  struct(name: string): CelType | undefined;
  field(structName: string, field: string): CelType | undefined;
  /** Value of a named constant, such as an enum value of a protobuf type. */
  constant?(name: string): Value | undefined;
  /** Makes an object from a literal `Name{field: value}`. */
  construct?(structName: string, fields: ReadonlyMap<string, Value>): Value;
}

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  readonly variables?: Readonly<Record<string, CelType>>;
  readonly types?: TypeProvider;
  /** Namespace in which names are looked up first. */
  readonly container?: string;
  /** Elements of a list or map literal must agree in type. */
  readonly homogeneousLiterals?: boolean;
  /** Whether `1 < 2.0` is allowed. */
  readonly crossTypeComparisons?: boolean;
  /** Whether has() costs as much as a selection. */
  readonly presenceTestCost?: number;
  /** Checks of literals after type checking: durations, timestamps, regexes, literals of one type. */
  readonly validatesLiterals?: boolean;
}

const standardTypes: readonly CelType[] = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
];

/** Everything an expression may refer to. Made once, used for many expressions. */
export class Environment {
  readonly syntax: Syntax;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly typeNames: ReadonlyMap<string, CelType>;
  readonly types: TypeProvider | undefined;
  readonly container: string;
  readonly homogeneousLiterals: boolean;
  readonly crossTypeComparisons: boolean;
  readonly presenceTestCost: number;
  readonly validatesLiterals: boolean;
  readonly estimators: ReadonlyMap<string, CallEstimator>;
  readonly costs: ReadonlyMap<string, CallCost>;
  readonly functionEstimators: ReadonlyMap<string, CallEstimator>;
  readonly functionCosts: ReadonlyMap<string, CallCost>;

  constructor(options: EnvironmentOptions) {
    const macros = new Map<string, Macro>();
    const functions = new Map<string, FunctionDeclaration>();
    const typeNames = new Map(standardTypes.map((type) => [type.name, type]));
    for (const library of options.libraries) {
      for (const macro of library.macros ?? []) macros.set(macroKey(macro.name, macro.argCount, macro.isReceiver), macro);
      for (const declaration of library.functions ?? [])
        functions.set(declaration.name, merge(functions.get(declaration.name), declaration));
      for (const type of library.types ?? []) typeNames.set(type.name, type);
    }
    this.syntax = { macros, optionals: options.libraries.some((library) => library.optionalSyntax === true) };
    this.functions = functions;
    this.variables = new Map(Object.entries(options.variables ?? {}));
    this.typeNames = typeNames;
    this.types = options.types;
    this.container = options.container ?? '';
    this.homogeneousLiterals = options.homogeneousLiterals ?? false;
    this.crossTypeComparisons = options.crossTypeComparisons ?? false;
    this.presenceTestCost = options.presenceTestCost ?? 1;
    this.validatesLiterals = options.validatesLiterals ?? false;
    this.estimators = collect(options.libraries, (library) => library.estimators);
    this.costs = collect(options.libraries, (library) => library.costs);
    this.functionEstimators = collect(options.libraries, (library) => library.functionEstimators);
    this.functionCosts = collect(options.libraries, (library) => library.functionCosts);
  }

  /** The same environment with other variables and types: shares the libraries, so it costs nothing. */
  extend(variables: Readonly<Record<string, CelType>>, types?: TypeProvider): Environment {
    const extended = Object.create(Environment.prototype) as { -readonly [K in keyof Environment]: Environment[K] };
    Object.assign(extended, this);
    extended.variables = new Map([...this.variables, ...Object.entries(variables)]);
    extended.types = types ?? this.types;
    return extended as Environment;
  }

  /** Names to try for a name in the container, innermost first. */
  candidates(name: string): readonly string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    if (this.container === '') return [name];
    const parts = this.container.split('.');
    const names = parts.map((_, i) => [...parts.slice(0, parts.length - i), name].join('.'));
    return [...names, name];
  }

  /** The provider that knows an object type. */
  providerOf(struct: string): TypeProvider | undefined {
    if (this.types?.struct(struct)) return this.types;
    return wellKnownTypes.struct(struct) ? wellKnownTypes : undefined;
  }

  function(name: string): FunctionDeclaration | undefined {
    for (const candidate of this.candidates(name)) {
      const declaration = this.functions.get(candidate);
      if (declaration) return declaration;
    }
    return undefined;
  }
}

function collect<T>(libraries: readonly Library[], part: (library: Library) => Readonly<Record<string, T>> | undefined): Map<string, T> {
  return new Map(libraries.flatMap((library) => Object.entries(part(library) ?? {})));
}

function merge(known: FunctionDeclaration | undefined, added: FunctionDeclaration): FunctionDeclaration {
  if (!known) return added;
  const ids = new Set(added.overloads.map((overload) => overload.id));
  return { ...known, ...added, overloads: [...known.overloads.filter((overload) => !ids.has(overload.id)), ...added.overloads] };
}
