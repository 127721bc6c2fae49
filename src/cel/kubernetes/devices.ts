// Upstream: k8s.io/dynamic-resource-allocation/cel/compile.go

import { estimateCost } from '../cost-estimate.ts';
import type { SizeHints } from '../cost-estimate.ts';
import type { Library } from '../declarations.ts';
import type { DeclaredType } from '../declared-types.ts';
import { declared, typeProvider } from '../declared-types.ts';
import type { Environment } from '../environment.ts';
import { compile } from '../index.ts';
import { bindingsLibrary } from '../libraries/bindings.ts';
import type { CelType } from '../types.ts';
import { anyType, boolType, intType, mapOf, sameType, stringType } from '../types.ts';
import { environmentWith } from './environments.ts';
import { includesLibrary } from './lists.ts';
import { quantityType } from './quantities.ts';
import { semverType } from './semver.ts';

const maxDomainLength = 63;
const maxIdLength = 32;
const maxDriverNameLength = 63;
const maxValueLength = 64;
const maxEntries = 32;

/** Gates that decide what an expression sees of a device. */
export interface DeviceFeatures {
  readonly consumableCapacity: boolean;
  readonly listTypeAttributes: boolean;
}

/** What an expression is for: it selects a device, or computes an attribute of one. */
export type DeviceExpressionUse = 'selector' | 'attribute';

export type DeviceCompilation =
  | { readonly maxCost: number }
  | { readonly invalid: string }
  /** It type-checks but cannot run. */
  | { readonly internal: string };

/** Compiles expressions about `device`. */
export class DeviceExpressions {
  readonly #features: DeviceFeatures;
  readonly #attribute: DeclaredType;
  readonly #environment: Environment;
  readonly #hints: SizeHints;

  constructor(features: DeviceFeatures) {
    this.#features = features;
    const { consumableCapacity, listTypeAttributes } = features;
    // With lists, a value may be iterated over; what is `any` may not.
    this.#attribute = sized(listTypeAttributes ? declared.dyn : { ...declared.dyn, celType: anyType }, maxValueLength);
    const device = declared.object('kubernetes.DRADevice', {
      ...(consumableCapacity && { allowMultipleAllocations: sized(declared.bool, 1) }),
      driver: sized(declared.string, maxDriverNameLength),
      attributes: byDomain(this.#attribute),
      capacity: byDomain({ ...declared.dyn, celType: quantityType, minSerializedSize: 8 }),
    });
    const libraries: readonly Library[] = [bindingsLibrary, ...(listTypeAttributes ? [includesLibrary] : [])];
    this.#environment = environmentWith('new', libraries).extend({ device: device.celType }, typeProvider(device));
    this.#hints = deviceSizes(device, this.#attribute);
  }

  compile(expression: string, use: DeviceExpressionUse): DeviceCompilation {
    const compiled = compile(expression, this.#environment);
    if ('issues' in compiled) return { invalid: `compilation failed: ${compiled.issues}` };
    const resultType = 'failure' in compiled ? compiled.resultType : compiled.program.resultType;
    const problem = use === 'attribute' ? this.#attributeProblem(resultType) : this.#selectorProblem(resultType);
    if (problem !== undefined) return { invalid: problem };
    if ('failure' in compiled) return { internal: `program instantiation failed: ${compiled.failure}` };
    return { maxCost: estimateCost(compiled.program.checked, this.#environment, this.#hints).max };
  }

  #selectorProblem(type: CelType): string | undefined {
    if (sameType(type, boolType) || sameType(type, this.#attribute.celType)) return undefined;
    return `must evaluate to bool or the unknown type, not ${declaredName(type)}`;
  }

  #attributeProblem(type: CelType): string | undefined {
    const { listTypeAttributes } = this.#features;
    const [element] = listTypeAttributes && type.kind === 'list' ? type.parameters : [];
    if (isScalar(element ?? type)) return undefined;
    const lists = listTypeAttributes ? ' or a list of these scalars' : '';
    return `must evaluate to a primitive scalar (string, integer, boolean, semver)${lists}, not ${declaredName(type)}`;
  }
}

function isScalar(type: CelType): boolean {
  return type.kind === 'dyn' || [boolType, intType, stringType, anyType, semverType].some((scalar) => sameType(type, scalar));
}

/** A type by the names of its declarations, which differ from those in other messages for `any`, null and times. */
function declaredName({ name, parameters, nullable }: CelType): string {
  if (parameters.length === 0) return nullable ? `wrapper(${name})` : name;
  return `${name}(${parameters.map(declaredName).join(', ')})`;
}

function sized(type: DeclaredType, maxElements: number): DeclaredType {
  return { ...type, maxElements };
}

/** Domain → name → value. */
function byDomain(value: DeclaredType): DeclaredType {
  return mapType(maxDomainLength, mapType(maxIdLength, value));
}

function mapType(maxKeyLength: number, element: DeclaredType): DeclaredType {
  const key = sized(declared.string, maxKeyLength);
  return { ...declared.map(element), celType: mapOf(key.celType, element.celType), key, maxElements: maxEntries };
}

/** An attribute is as large as attributes can be, whatever its name. */
function deviceSizes(device: DeclaredType, attribute: DeclaredType): SizeHints {
  return ([root, ...path]) => {
    if (root !== 'device') return undefined;
    let type: DeclaredType | undefined = device;
    for (const step of path) {
      if (type === undefined) return undefined;
      if (step === '@items' || step === '@values') type = type.element;
      else if (step === '@keys') type = type.key;
      else type = type.fields?.get(step) ?? (type.element === attribute ? attribute : undefined);
    }
    return type && { min: 0, max: type.maxElements };
  };
}
