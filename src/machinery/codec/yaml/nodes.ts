// Upstream: go.yaml.in/yaml/v2/parserc.go, go.yaml.in/yaml/v2/decode.go#parser
import type { Steps } from '../../../base/steps.ts';
import { allSteps } from '../../../base/steps.ts';
import { requestEntityTooLarge } from '../../errors.ts';
import { DecodeError } from '../decode-error.ts';
import { depthLimit, shallow } from '../json/depth.ts';
import type { Mark } from './cursor.ts';
import { checkCharacters, faultAt } from './cursor.ts';
import { tokensOf } from './scanned-tokens.ts';
import type { Token, Tokens } from './scanner.ts';

export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly offset: number;
  readonly tag: string;
  readonly text: string;
  /** what it is follows from its text */
  readonly plain: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly offset: number;
  readonly items: YamlNode[];
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly offset: number;
  /** keys and values in turn */
  readonly items: YamlNode[];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly offset: number;
  readonly name: string;
  readonly target: YamlNode;
}

/**
 * How much YAML may hold, aliases counted as often as they are used. Upstream has a limit for aliases alone. YAML takes ten times as long to
 * read as JSON, which has wider limits.
 */
export const mostYamlNodes = 60_000;
/** Lines and commas: more than these cannot be so few nodes, except in text, which is never that narrow. */
const mostYamlLines = 200_000;

function tooMuch(): Error {
  return requestEntityTooLarge(`limit is ${mostYamlNodes} nodes of YAML`);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}

/** The first document of a stream; undefined when there is none. What follows it is not looked at. Throws DecodeError. */
export function parseFirstDocument(text: string): YamlNode | undefined {
  return allSteps(parsingFirstDocument(text));
}

export function* parsingFirstDocument(text: string): Steps<YamlNode | undefined> {
  if (text.length > mostYamlLines && count(text, '\n') + count(text, ',') > mostYamlLines) throw tooMuch();
  checkCharacters(text);
  yield;
  const tokens = yield* tokensOf(text);
  yield;
  return new Parser(tokens).document();
}

type Kind = Token['kind'];

const defaultTags: readonly (readonly [handle: string, prefix: string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

interface Properties {
  readonly anchor: string;
  readonly tag: string;
  readonly start: Mark;
}

class Parser {
  readonly #tokens: Tokens;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #prefixes = new Map<string, string>();
  #nodes = 0;
  #depth = 0;
  #deepest = shallow;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  document(): YamlNode | undefined {
    if (this.#is('stream end')) return undefined;
    const isImplicit = !this.#is('version', 'tag directive', 'document start');
    this.#directives();
    if (!isImplicit) {
      const token = this.#tokens.peek();
      if (token.kind !== 'document start') throw parserFault('did not find expected <document start>', token);
      this.#tokens.take();
      if (this.#is('version', 'tag directive', 'document start', 'document end', 'stream end')) {
        return this.#empty(this.#tokens.peek().start);
      }
    }
    const root = this.#node(true, false);
    // Whether the document ends here is asked before it is read.
    this.#tokens.peek();
    return root;
  }

  #is(...kinds: readonly Kind[]): boolean {
    return kinds.includes(this.#tokens.peek().kind);
  }

  #takeIf(kind: Kind): Token | undefined {
    return this.#tokens.peek().kind === kind ? this.#tokens.take() : undefined;
  }

  #directives(): void {
    let hasVersion = false;
    for (;;) {
      const token = this.#tokens.peek();
      if (token.kind === 'version') {
        if (hasVersion) throw parserFault('found duplicate %YAML directive', token);
        if (!token.isKnown) throw parserFault('found incompatible YAML document', token);
        hasVersion = true;
      } else if (token.kind === 'tag directive') {
        if (this.#prefixes.has(token.handle)) throw parserFault('found duplicate %TAG directive', token);
        this.#prefixes.set(token.handle, token.prefix);
      } else break;
      this.#tokens.take();
    }
    for (const [handle, prefix] of defaultTags) if (!this.#prefixes.has(handle)) this.#prefixes.set(handle, prefix);
  }

  /** @param isBlock outside of brackets; `mayBeFlat`: a sequence may be indented no deeper than the key that it is the value of */
  #node(isBlock: boolean, mayBeFlat: boolean): YamlNode {
    if (++this.#depth > this.#deepest) this.#checkDepth();
    const node = this.#content(isBlock, mayBeFlat);
    this.#depth--;
    return node;
  }

  #content(isBlock: boolean, mayBeFlat: boolean): YamlNode {
    this.#count();
    const first = this.#tokens.peek();
    if (first.kind === 'alias') {
      this.#tokens.take();
      const target = this.#anchors.get(first.name);
      if (target === undefined) throw new DecodeError(`yaml: unknown anchor '${first.name}' referenced`);
      return { kind: 'alias', offset: first.start.at, name: first.name, target };
    }
    const properties = this.#properties();
    const token = this.#tokens.peek();
    const { start } = properties;
    if (mayBeFlat && token.kind === '-') return this.#flatSequence(this.#collection('sequence', properties));
    switch (token.kind) {
      case 'scalar':
        this.#tokens.take();
        return this.#anchored(properties, scalarNode(start, properties.tag, token.text, token.isPlain));
      case '[':
        return this.#flowSequence(this.#collection('sequence', properties));
      case '{':
        return this.#flowMapping(this.#collection('mapping', properties));
      case 'block sequence':
        if (isBlock) return this.#blockSequence(this.#collection('sequence', properties));
        break;
      case 'block mapping':
        if (isBlock) return this.#blockMapping(this.#collection('mapping', properties));
        break;
      default:
        break;
    }
    if (properties.anchor === '' && properties.tag === '') throw parserFault('did not find expected node content', token, start);
    return this.#anchored(properties, scalarNode(start, properties.tag, '', true));
  }

  #properties(): Properties {
    const { start } = this.#tokens.peek();
    let anchor = '';
    let tag = '';
    for (let token = this.#tokens.peek(); ; token = this.#tokens.peek()) {
      if (token.kind === 'anchor' && anchor === '') anchor = token.name;
      else if (token.kind === 'tag' && tag === '') tag = this.#tag(token, start);
      else return { anchor, tag, start };
      this.#tokens.take();
    }
  }

  #tag(token: Token & { readonly kind: 'tag' }, start: Mark): string {
    if (token.handle === '') return shortTag(token.suffix);
    const prefix = this.#prefixes.get(token.handle);
    if (prefix === undefined) throw parserFault('found undefined tag handle', token, start);
    return shortTag(prefix + token.suffix);
  }

  /** Known by its anchor before its content is: aliases inside may name it. */
  #collection<K extends 'sequence' | 'mapping'>(kind: K, properties: Properties): { kind: K; offset: number; items: YamlNode[] } {
    return this.#anchored(properties, { kind, offset: properties.start.at, items: [] } as never) as never;
  }

  #anchored<N extends YamlNode>({ anchor }: Properties, node: N): N {
    if (anchor !== '') this.#anchors.set(anchor, node);
    return node;
  }

  #empty({ at }: Mark): ScalarNode {
    this.#count();
    return { kind: 'scalar', offset: at, tag: '', text: '', plain: true };
  }

  #blockSequence(node: SequenceNode): SequenceNode {
    this.#tokens.take();
    for (let entry = this.#takeIf('-'); entry !== undefined; entry = this.#takeIf('-')) {
      node.items.push(this.#is('-', 'block end') ? this.#empty(entry.start) : this.#node(true, false));
    }
    if (this.#takeIf('block end') === undefined) throw parserFault(`did not find expected '-' indicator`, this.#tokens.peek());
    return node;
  }

  #flatSequence(node: SequenceNode): SequenceNode {
    for (let entry = this.#takeIf('-'); entry !== undefined; entry = this.#takeIf('-')) {
      node.items.push(this.#is('-', 'key', 'value', 'block end') ? this.#empty(entry.start) : this.#node(true, false));
    }
    return node;
  }

  #blockMapping(node: MappingNode): MappingNode {
    this.#tokens.take();
    const part = (mark: Mark): YamlNode => (this.#is('key', 'value', 'block end') ? this.#empty(mark) : this.#node(true, true));
    while (!this.#is('block end')) {
      const key = this.#takeIf('key');
      if (key === undefined) throw parserFault('did not find expected key', this.#tokens.peek());
      node.items.push(part(key.start));
      const value = this.#takeIf('value');
      node.items.push(value === undefined ? this.#empty(this.#tokens.peek().start) : part(value.start));
    }
    this.#tokens.take();
    return node;
  }

  #flowSequence(node: SequenceNode): SequenceNode {
    this.#tokens.take();
    for (let isFirst = true; !this.#is(']'); isFirst = false) {
      if (!isFirst) this.#comma(']');
      if (this.#is(']')) break;
      const key = this.#takeIf('key');
      node.items.push(key === undefined ? this.#node(false, false) : this.#pair(key.start));
    }
    this.#tokens.take();
    return node;
  }

  /** A mapping of one pair, in a sequence in brackets. */
  #pair(start: Mark): MappingNode {
    this.#count();
    const node: MappingNode = { kind: 'mapping', offset: start.at, items: [] };
    if (this.#is('value', ',', ']')) {
      // A quirk kept: what stands in place of the key is passed over.
      node.items.push(this.#empty(this.#tokens.take().start));
    } else node.items.push(this.#node(false, false));
    node.items.push(this.#flowValue(']'));
    return node;
  }

  #flowMapping(node: MappingNode): MappingNode {
    this.#tokens.take();
    for (let isFirst = true; !this.#is('}'); isFirst = false) {
      if (!isFirst) this.#comma('}');
      if (this.#is('}')) break;
      if (this.#takeIf('key') === undefined) {
        node.items.push(this.#node(false, false), this.#empty(this.#tokens.peek().start));
        continue;
      }
      node.items.push(this.#is('value', ',', '}') ? this.#empty(this.#tokens.peek().start) : this.#node(false, false));
      node.items.push(this.#flowValue('}'));
    }
    this.#tokens.take();
    return node;
  }

  #flowValue(end: ']' | '}'): YamlNode {
    if (this.#takeIf('value') !== undefined && !this.#is(',', end)) return this.#node(false, false);
    return this.#empty(this.#tokens.peek().start);
  }

  #comma(end: ']' | '}'): void {
    if (this.#takeIf(',') === undefined) throw parserFault(`did not find expected ',' or '${end}'`, this.#tokens.peek());
  }

  #count(): void {
    if (++this.#nodes > mostYamlNodes) throw tooMuch();
  }

  /** As deep as Go goes, or as this process can. */
  #checkDepth(): void {
    this.#deepest = depthLimit(Number.MAX_SAFE_INTEGER);
    // the scalar at the bottom is no level
    if (this.#depth > this.#deepest + 1) throw new DecodeError('yaml: exceeded max depth of 10000');
  }
}

/** Faults that the parser finds are reported with the line before; a quirk kept. */
function parserFault(problem: string, token: Token, start?: Mark): DecodeError {
  return faultAt(problem, token.start.line || (start?.line ?? 0));
}

function scalarNode({ at }: Mark, tag: string, text: string, plain: boolean): ScalarNode {
  return { kind: 'scalar', offset: at, tag, text, plain };
}

const coreTags = 'tag:yaml.org,2002:';

function shortTag(tag: string): string {
  return tag.startsWith(coreTags) ? `!!${tag.slice(coreTags.length)}` : tag;
}
