// Upstream: k8s.io/apiserver/pkg/sharding/parser.go, k8s.io/apimachinery/pkg/sharding/{selector,hash}.go
import type { CallExpr, Expr } from '../../cel/ast.ts';
import { parse } from '../../cel/parse.ts';
import { Issues } from '../../cel/syntax/source.ts';
import type { Value } from '../../cel/values.ts';
import { Double, Uint } from '../../cel/values.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { StoredEntry } from '../registry/entry.ts';

/** Which part of the objects a list or a watch is about: those whose hash of one field is in one of the ranges. */
export class ShardSelector {
  readonly #field: ShardField;
  readonly #ranges: readonly ShardRange[];
  readonly #bounds: readonly (readonly [bigint, bigint])[];

  constructor(field: ShardField, ranges: readonly ShardRange[]) {
    this.#field = field;
    this.#ranges = ranges;
    this.#bounds = ranges.map(({ start, end }) => [BigInt(start), BigInt(end)]);
  }

  matches(entry: StoredEntry): boolean {
    const hash = hashOf(this.#field === 'object.metadata.uid' ? entry.uid : (entry.fields['metadata.namespace'] ?? ''));
    return this.#bounds.some(([start, end]) => hash >= start && hash < end);
  }

  toString(): string {
    return this.#ranges.map(({ start, end }) => `shardRange(${this.#field}, '${start}', '${end}')`).join(' || ');
  }
}

type ShardField = 'object.metadata.uid' | 'object.metadata.namespace';

interface ShardRange {
  /** inclusive, `0x` and sixteen digits */
  readonly start: string;
  /** exclusive; one digit more when it is the end of all hashes */
  readonly end: string;
}

interface Requirement extends ShardRange {
  readonly field: ShardField;
}

/** Throws a plain Error when the text is none: upstream responds with 500 and no reason then, a quirk kept. */
export function parseShardSelector(text: string): ShardSelector {
  try {
    return parseExpression(text.trim());
  } catch (error) {
    throw error instanceof ShardSelectorError ? new Error(`invalid shard selector: ${error.message}`, { cause: error }) : error;
  }
}

class ShardSelectorError extends Error {}

function parseExpression(expression: string): ShardSelector {
  if (expression === '') throw new ShardSelectorError('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  const parsed = parse(expression, { macros: new Map(), optionals: false });
  if (parsed instanceof Issues) throw new ShardSelectorError(`CEL parse error: ${parsed.list[0]?.message}`);
  const [first, ...others] = requirementsOf(parsed.root) as [Requirement, ...Requirement[]];
  const other = others.find(({ field }) => field !== first.field);
  if (other !== undefined)
    throw new ShardSelectorError(`all shard ranges must use the same field, got ${goQuote(first.field)} and ${goQuote(other.field)}`);
  return new ShardSelector(first.field, [first, ...others]);
}

function requirementsOf(expr: Expr): Requirement[] {
  if (expr.kind !== 'call')
    throw new ShardSelectorError(`unexpected expression kind ${kindNumber[expr.kind]}; expected shardRange() call or || operator`);
  if (expr.name === '_||_') return expr.args.flatMap(requirementsOf);
  if (expr.name === 'shardRange') return [requirementOf(expr)];
  throw new ShardSelectorError(`unsupported function ${goQuote(expr.name)}; only shardRange() and || are allowed`);
}

function requirementOf({ args }: CallExpr): Requirement {
  const [path, from, to] = args;
  if (path === undefined || from === undefined || to === undefined || args.length !== 3)
    throw new ShardSelectorError(`shardRange() requires exactly 3 arguments, got ${args.length}`);
  const field = fieldPath(path);
  if (field !== 'object.metadata.uid' && field !== 'object.metadata.namespace')
    throw new ShardSelectorError(`unsupported field path ${goQuote(field)}; supported: object.metadata.uid, object.metadata.namespace`);
  const start = hexLiteral(from, 'hexStart');
  const end = hexLiteral(to, 'hexEnd');
  if (BigInt(start) >= BigInt(end)) throw new ShardSelectorError(`shard range start ${start} must be less than end ${end}`);
  return { field, start, end };
}

function fieldPath(expr: Expr): string {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind === 'select') return `${fieldPath(expr.operand)}.${expr.field}`;
  throw new ShardSelectorError(
    `shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${kindNumber[expr.kind]}`,
  );
}

const hexDigits = 16;
const endOfHashes = '0x10000000000000000';

function hexLiteral(expr: Expr, name: string): string {
  if (expr.kind !== 'literal')
    throw new ShardSelectorError(`${name} must be a string literal (e.g. '0xff'), got expression kind ${kindNumber[expr.kind]}`);
  const text = expr.value;
  if (typeof text !== 'string') throw new ShardSelectorError(`${name} must be a string literal, got ${goType(text)}`);
  if (!text.startsWith('0x')) throw new ShardSelectorError(`${name} must have '0x' prefix, got ${goQuote(text)}`);
  const hex = text.slice(2);
  if (hex === '') throw new ShardSelectorError(`${name}: hex value is required after '0x'`);
  const length = Buffer.byteLength(hex);
  if (length > hexDigits + 1)
    throw new ShardSelectorError(`${name}: hex value too long (${length} chars, max ${hexDigits + 1}): ${goQuote(hex)}`);
  const stranger = /[^0-9a-f]/u.exec(hex);
  if (stranger !== null) throw new ShardSelectorError(`${name}: invalid hex character ${goQuote(stranger[0])} in ${goQuote(text)}`);
  if (text === endOfHashes || length === hexDigits) return text;
  throw new ShardSelectorError(
    length > hexDigits
      ? `${name}: 17-digit hex value must be '${endOfHashes}' (2^64), got ${goQuote(text)}`
      : `${name} must be a 0x-prefixed 16-digit hex value, got ${goQuote(text)} (did you mean ${goQuote(`0x${hex.padStart(hexDigits, '0')}`)}?)`,
  );
}

/** What upstream's messages call the value of a literal. */
function goType(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'structpb.NullValue';
  if (value instanceof Uint8Array) return '[]uint8';
  return value instanceof Double ? 'float64' : value instanceof Uint ? 'uint64' : 'int64';
}

/** FNV-1a of 64 bits, which clients compute, too. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

/** What upstream's messages call a kind of expression. */
const kindNumber: Readonly<Record<Expr['kind'], number>> = {
  unspecified: 0,
  call: 1,
  comprehension: 2,
  ident: 3,
  list: 4,
  literal: 5,
  map: 6,
  select: 7,
  struct: 8,
};
