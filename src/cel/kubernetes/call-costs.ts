// Upstream: k8s.io/apiserver/pkg/cel/library/cost.go

import type { CallCost, CallEstimate, CallEstimator, CostNode, Range, SizeOf } from '../cost-model.ts';
import { fixed, listCost, plus, regexFactor, scale, structCost, times, traversalFactor, unbounded, union } from '../cost-model.ts';
import type { Library } from '../declarations.ts';
import { sameType } from '../types.ts';
import type { Value } from '../values.ts';
import { CelList, CelMap, CelObject, measure } from '../values.ts';
import { FormatValue } from './formats.ts';

const checkCost = 350_000;
const maxFormatSize = 64;
const maxFormatPatternSize = 128;

// An optional is not looked into here, unlike in the language's own accounting.
const size = (value: Value): number =>
  typeof value === 'string' ||
  value instanceof CelList ||
  value instanceof CelMap ||
  value instanceof Uint8Array ||
  value instanceof CelObject
    ? measure(value)
    : 1;

const traversal = (length: number, factor = 1): number => Math.ceil(length * factor * traversalFactor);

// Runtime

/** Cost of going through a value once; a string costs by its bytes, and short ones nothing. */
function walkCost(value: Value): number {
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * traversalFactor);
  if (value instanceof Uint8Array) return Math.trunc(value.length * traversalFactor);
  let total = 0;
  if (value instanceof CelList) {
    for (const item of value) total += walkCost(item);
    return total;
  }
  if (!(value instanceof CelMap)) return 1;
  for (const key of value.keys()) total += walkCost(key) + walkCost(value.find(key) ?? null);
  return total;
}

function selectorCost(length: Range): Range {
  const parse = scale(length, traversalFactor);
  const requirements = scale(scale(length, 0.5), listCost + structCost);
  return plus(plus(fixed(listCost), parse), requirements);
}

const one: CallCost = () => 1;
const byWalk: CallCost = ([list]) => walkCost(list!);
const byText: CallCost = ([text]) => traversal(size(text!));
const byTextTwice: CallCost = ([text]) => traversal(size(text!), 2);
const byMatch: CallCost = ([text, pattern]) => traversal(1 + size(text!)) * Math.ceil(size(pattern!) * regexFactor);
const bySelector: CallCost = ([, selector]) => selectorCost(fixed(size(selector!))).max;

const table = <T>(names: string, value: T): Record<string, T> => Object.fromEntries(names.split(' ').map((name) => [name, value]));

const authorizer = 'serviceAccount path group resource subresource namespace name allowed reason error errored';
const listWalks = 'isSorted sum max min indexOf lastIndexOf includes';
const constantCosts =
  'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery';
const parsed = 'cidr isIP isCIDR quantity isQuantity semver isSemver';

const costs: Readonly<Record<string, CallCost>> = {
  check: () => checkCost,
  ...table(authorizer, one),
  ...table('fieldSelector labelSelector', bySelector),
  ...table(listWalks, byWalk),
  ...table('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', byText),
  ...table('replace split', byTextTwice),
  join: (_args, result) => traversal(size(result), 2),
  ...table('find findAll', byMatch),
  ...table(parsed, byText),
  ip: (args, result, overload) => (overload === 'cidr_ip' ? 1 : byText(args, result, overload)),
  'ip.isCanonical': byTextTwice,
  ...table(constantCosts, one),
  containsIP: ([cidr, other], _result, overload) =>
    traversal(2 * size(cidr!)) + (overload === 'cidr_contains_ip_string' ? traversal(size(other!)) : 0),
  containsCIDR: ([cidr, other], _result, overload) =>
    traversal(2 * size(cidr!)) + traversal(size(cidr!)) + 1 + (overload === 'cidr_contains_cidr_string' ? traversal(size(other!)) : 0),
  validate: ([format, text]) =>
    format instanceof FormatValue ? traversal(1 + size(text!)) * Math.ceil(format.patternSize * regexFactor) : undefined,
  '_==_': ([a]) => (a instanceof CelObject && a.type.name !== '' && isKubernetesValue(a) ? 1 : undefined),
};

const isKubernetesValue = (value: CelObject): boolean => value.type.name.startsWith('kubernetes.') || value.type.name.startsWith('net.');

// Static estimation

const cost = (range: Range): CallEstimate => ({ cost: range });
const constant: CallEstimator = () => cost(fixed(1));
const walked = (range: Range): Range => scale(range, traversalFactor);

const itemsOf = (list: CostNode): CostNode | undefined => {
  const element = list.type.parameters[0];
  if (!element) return undefined;
  return { path: list.path.length > 0 ? [...list.path, '@items'] : [], type: element, expr: undefined, size: undefined };
};

const estimateListWalk =
  (isIncludes: boolean): CallEstimator =>
  (sizeOf, target) => {
    if (!target) return undefined;
    const items = itemsOf(target);
    if (!items) return cost(isIncludes ? sizeOf(target) : walked(sizeOf(target)));
    const perItem = items.type.kind === 'string' || items.type.kind === 'bytes' ? plus(fixed(1), walked(sizeOf(items))) : fixed(1);
    return cost(times(sizeOf(target), perItem));
  };

const estimateText: CallEstimator = (sizeOf, target) => target && { cost: walked(sizeOf(target)), resultSize: sizeOf(target) };
const estimateArgument: CallEstimator = (sizeOf, _target, [text]) => text && { cost: walked(sizeOf(text)), resultSize: sizeOf(text) };
const estimateParsed: CallEstimator = (sizeOf, _target, [text]) => text && cost(walked(sizeOf(text)));

function estimateReplace(sizeOf: SizeOf, target: CostNode | undefined, [oldNode, byNode]: readonly CostNode[]): CallEstimate | undefined {
  if (!target || !oldNode || !byNode) return undefined;
  const text = sizeOf(target);
  const old = sizeOf(oldNode);
  const by = sizeOf(byNode);
  const successor = (value: number): number => Math.min(value + 1, unbounded);
  const most =
    old.min === 0
      ? { count: successor(text.max), kept: text.max }
      : by.max <= old.min
        ? { count: 0, kept: text.max }
        : { count: Math.ceil(text.max / old.min), kept: 0 };
  const least =
    old.max === 0
      ? { count: successor(text.min), kept: text.min }
      : old.max <= by.min
        ? { count: 0, kept: text.min }
        : { count: Math.ceil(text.min / old.max), kept: 0 };
  const replaced = times({ min: least.count, max: most.count }, by);
  return { cost: scale(text, 2 * traversalFactor), resultSize: plus(replaced, { min: least.kept, max: most.kept }) };
}

const estimateSplit: CallEstimator = (sizeOf, target, [, limit]) => {
  if (!target) return undefined;
  const text = sizeOf(target);
  const literal = limit?.expr?.kind === 'literal' ? limit.expr.value : undefined;
  // A negative literal becomes a huge unsigned count upstream.
  const max = typeof literal === 'number' ? (literal < 0 ? unbounded : literal) : text.max;
  return { cost: scale(text, 2 * traversalFactor), resultSize: { min: 0, max } };
};

const estimateJoin: CallEstimator = (sizeOf, target, [separator]) => {
  if (!target) return undefined;
  const list = sizeOf(target);
  const items = itemsOf(target);
  let total = items ? times(list, sizeOf(items)) : fixed(0);
  if (separator) total = plus(total, times(sizeOf(separator), { min: Math.max(list.min - 1, 0), max: Math.max(list.max - 1, 0) }));
  return { cost: walked(total), resultSize: total };
};

const estimateFind: CallEstimator = (sizeOf, target, [pattern]) => {
  if (!target || !pattern) return undefined;
  const text = sizeOf(target);
  const match = times(walked(plus(text, fixed(1))), scale(sizeOf(pattern), regexFactor));
  return { cost: match, resultSize: { min: 0, max: text.max } };
};

const address: Range = { min: 4, max: 16 };
const addressComparison = walked(plus(address, address));

const estimateEquality: CallEstimator = (_sizeOf, _target, [a, b]) => {
  if (!a || !b || !sameType(a.type, b.type)) return undefined;
  const { kind, name } = a.type;
  if (kind === 'opaque') return name === 'net.IP' || name === 'net.CIDR' ? cost(fixed(1)) : undefined;
  if (kind !== 'struct') return undefined;
  if (name === 'kubernetes.NamedFormat') return cost(scale({ min: 1, max: maxFormatSize }, traversalFactor));
  if (name === 'kubernetes.URL') {
    const text = b.size ? union(b.size, b.size) : fixed(1);
    return cost(scale({ min: 1, max: text.max }, traversalFactor));
  }
  return unitEquality.has(name) ? cost(fixed(1)) : undefined;
};

const unitEquality: ReadonlySet<string> = new Set([
  'kubernetes.Quantity',
  'kubernetes.Semver',
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map((name) => `kubernetes.authorization.${name}`),
]);

const estimators: Readonly<Record<string, CallEstimator>> = {
  check: () => cost(fixed(checkCost)),
  ...table(authorizer, constant),
  ...table(
    'fieldSelector labelSelector',
    ((sizeOf, _target, [selector]) => selector && cost(selectorCost(sizeOf(selector)))) as CallEstimator,
  ),
  ...table(listWalks, estimateListWalk(false)),
  includes: estimateListWalk(true),
  ...table('url jsonpatch.escapeKey', estimateArgument),
  ...table('lowerAscii upperAscii substring trim', estimateText),
  replace: estimateReplace,
  split: estimateSplit,
  join: estimateJoin,
  ...table('find findAll', estimateFind),
  ...table(parsed, estimateParsed),
  ip: (sizeOf, target, args, overload) => (overload === 'cidr_ip' ? cost(fixed(1)) : estimateParsed(sizeOf, target, args, overload)),
  'ip.isCanonical': (sizeOf, _target, [text]) => text && cost(scale(sizeOf(text), 2 * traversalFactor)),
  ...table(constantCosts, constant),
  containsIP: (sizeOf, _target, [other], overload) =>
    other && cost(overload === 'cidr_contains_ip_string' ? plus(addressComparison, walked(sizeOf(other))) : addressComparison),
  containsCIDR: (sizeOf, _target, [other], overload) => {
    if (!other) return undefined;
    const masked = plus(plus(addressComparison, walked(address)), fixed(1));
    return cost(overload === 'cidr_contains_cidr_string' ? plus(masked, walked(sizeOf(other))) : masked);
  },
  validate: (sizeOf, _target, [text]) => text && cost(scale(walked(sizeOf(text)), maxFormatPatternSize * regexFactor)),
  '_==_': estimateEquality,
};

/** Costs of the Kubernetes libraries, and of the language's string functions as Kubernetes charges them. */
export const kubernetesCosts: Library = { name: 'kubernetes.costs', functionCosts: costs, functionEstimators: estimators };
