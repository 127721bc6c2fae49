// Upstream: go.yaml.in/yaml/v2/decode.go#decoder, sigs.k8s.io/yaml/yaml.go
import type { Steps } from '../../../base/steps.ts';
import { allSteps } from '../../../base/steps.ts';
import { goQuote } from '../../go-format.ts';
import { requestEntityTooLarge } from '../../errors.ts';
import { DecodeError } from '../decode-error.ts';
import { canonicalBase64 } from '../json/base64.ts';
import { compact } from '../json/numbers.ts';
import { setKey } from '../json/cursor.ts';
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from './nodes.ts';
import { mostYamlNodes, parsingFirstDocument } from './nodes.ts';
import type { Resolved } from './resolve.ts';
import { resolve } from './resolve.ts';

export interface YamlValue {
  /** a JSON value */
  readonly value: unknown;
  /** keys given twice, as strict reading reports them; the value has the last of each */
  readonly duplicates: readonly string[];
}

/** Reads the first document of a stream as JSON. Throws DecodeError with upstream's words. */
export function readYaml(source: string): YamlValue {
  return allSteps(readingYaml(source));
}

/** The same, for what may be long. */
export function* readingYaml(source: string): Steps<YamlValue> {
  const root = yield* parsingFirstDocument(source);
  if (root === undefined) return { value: null, duplicates: [] };
  yield;
  const reader = new Reader(source);
  const value = reader.value(root);
  yield;
  return { value: toJson(value), duplicates: reader.duplicates };
}

/** A mapping while its keys still have types: `1` and `"1"` are two keys until they become JSON. */
class YamlMap {
  /** by the values of the keys, of whatever type they are */
  readonly entries = new Map<Resolved['value'], readonly [key: Resolved, value: unknown]>();
}

class Reader {
  readonly #text: string;
  readonly #expanding = new Set<AliasNode>();
  readonly duplicates: string[] = [];
  #counted = { offset: 0, line: 1 };
  #steps = 0;
  #aliasSteps = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case 'scalar':
        return scalar(node);
      case 'sequence':
        return node.items.map((item) => this.value(item));
      case 'mapping':
        return this.#fill(node, new YamlMap());
      case 'alias':
        return this.#followAlias(node, (target) => this.value(target));
    }
  }

  #fill(node: MappingNode, map: YamlMap): YamlMap {
    for (let index = 0; index < node.items.length; index += 2) {
      const [key, value] = [node.items[index]!, node.items[index + 1]!];
      if (isMerge(key)) {
        this.#merge(value, map);
        continue;
      }
      const resolved = this.#key(key);
      const item = this.value(value);
      if (map.entries.has(resolved.value)) this.duplicates.push(`line ${this.#line(value)}: key ${goSyntax(resolved)} already set in map`);
      map.entries.set(resolved.value, [resolved, item]);
    }
    return map;
  }

  #key(node: YamlNode): Resolved {
    this.#count();
    if (node.kind === 'alias') return this.#followAlias(node, (target) => this.#key(target));
    if (node.kind === 'scalar') {
      const resolved = resolveScalar(node);
      return resolved.tag === 'timestamp' || resolved.tag === 'merge' ? { tag: 'str', value: node.text } : resolved;
    }
    throw new DecodeError(`yaml: invalid map key: ${goValue(this.value(node))}`);
  }

  #merge(node: YamlNode, map: YamlMap): void {
    if (node.kind === 'sequence') {
      // earlier ones take precedence, so they come last
      for (const item of node.items.toReversed()) this.#mergeOne(item, map);
    } else {
      this.#mergeOne(node, map);
    }
  }

  #mergeOne(node: YamlNode, map: YamlMap): void {
    this.#count();
    if (node.kind === 'mapping') this.#fill(node, map);
    else if (node.kind === 'alias' && node.target.kind === 'mapping')
      this.#followAlias(node, () => this.#fill(node.target as MappingNode, map));
    else throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
  }

  #followAlias<Result>(node: AliasNode, read: (target: YamlNode) => Result): Result {
    if (this.#expanding.has(node)) throw new DecodeError(`yaml: anchor '${node.name}' value contains itself`);
    this.#expanding.add(node);
    const result = read(node.target);
    this.#expanding.delete(node);
    return result;
  }

  /** Aliases may make a small document large; upstream allows them a share of the work that shrinks as the work grows. */
  #count(): void {
    if (++this.#steps > mostYamlNodes) throw requestEntityTooLarge(`limit is ${mostYamlNodes} nodes of YAML`);
    if (this.#expanding.size > 0) this.#aliasSteps++;
    if (this.#aliasSteps > 100 && this.#steps > 1000 && this.#aliasSteps / this.#steps > allowedAliasShare(this.#steps)) {
      throw new DecodeError('yaml: document contains excessive aliasing');
    }
  }

  /** Nodes are asked for in the order of the text, or nearly, so that lines are counted on from the last one. */
  #line(node: YamlNode): number {
    if (node.offset < this.#counted.offset) this.#counted = { offset: 0, line: 1 };
    let { line } = this.#counted;
    for (let at = this.#text.indexOf('\n', this.#counted.offset); at >= 0 && at < node.offset; at = this.#text.indexOf('\n', at + 1))
      line++;
    this.#counted = { offset: node.offset, line };
    return line;
  }
}

function allowedAliasShare(steps: number): number {
  const [low, high] = [400_000, 4_000_000];
  if (steps <= low) return 0.99;
  return steps >= high ? 0.1 : 0.99 - (0.89 * (steps - low)) / (high - low);
}

function isMerge(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.text === '<<' && ((node.tag === '' && node.plain) || node.tag === '!!merge');
}

const resolvableTags: ReadonlySet<string> = new Set(['', '!!str', '!!bool', '!!int', '!!float', '!!null', '!!timestamp']);

function resolveScalar(node: ScalarNode): Resolved {
  const { tag, text } = node;
  if (tag === '' && !node.plain) return { tag: 'str', value: text };
  if (tag === '!!binary') return { tag: 'str', value: binary(text) };
  if (!resolvableTags.has(tag) || tag === '!!str') return { tag: 'str', value: text };
  const resolved = resolve(text);
  if (tag === '' || tag === `!!${resolved.tag}`) return resolved;
  if (tag === '!!float' && resolved.tag === 'int') return { tag: 'float', value: Number(resolved.value) };
  throw new DecodeError(`yaml: cannot decode !!${resolved.tag} \`${text}\` as a ${tag}`);
}

function binary(text: string): string {
  try {
    return Buffer.from(canonicalBase64(text), 'base64').toString('utf8');
  } catch (error) {
    throw new DecodeError('yaml: !!binary value contains invalid base64 data', { cause: error });
  }
}

function scalar(node: ScalarNode): unknown {
  const { value } = resolveScalar(node);
  return typeof value === 'bigint' ? compact(value) : value;
}

/** JSON has no infinities, and keys that are text only. */
function toJson(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new DecodeError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (!(value instanceof YamlMap)) return value;
  const object: Record<string, unknown> = {};
  for (const [key, item] of value.entries.values()) setKey(object, keyText(key, item), toJson(item));
  return object;
}

function keyText(key: Resolved, item: unknown): string {
  switch (key.tag) {
    case 'null':
      throw new DecodeError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${item === null ? '<nil>' : goValue(item)}`);
    case 'float':
      return floatKey(key.value);
    default:
      return String(key.value);
  }
}

/** Upstream writes keys with the precision of a 32-bit float. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  const single = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const shortest = Number(single.toPrecision(digits));
    if (Math.fround(shortest) === single) return String(shortest);
  }
  return String(Number(single.toPrecision(9)));
}

function goSyntax(key: Resolved): string {
  return key.tag === 'str' ? goQuote(key.value) : key.tag === 'null' ? '<nil>' : String(key.value);
}

/** A value as Go's `%#v` shows it. */
function goValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goValue).join(', ')}}`;
  if (!(value instanceof YamlMap)) return String(value);
  return `map[interface {}]interface {}{${[...value.entries.values()].map(([key, item]) => `${goSyntax(key)}:${goValue(item)}`).join(', ')}}`;
}
