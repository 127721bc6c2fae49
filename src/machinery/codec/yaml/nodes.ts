// Upstream: go.yaml.in/yaml/v2 decode.go (parser)
import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException, type Event, type ScalarEvent } from 'js-yaml';
import { requestEntityTooLarge } from '../../errors.ts';
import { DecodeError } from '../decode-error.ts';
import { depthLimit, shallow } from '../json/depth.ts';
import { isTooDeep, syntaxError } from './syntax-error.ts';

export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly offset: number;
  readonly tag: string;
  readonly text: string;
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
export const MOST_YAML_NODES = 100_000;
/** Lines and commas: more than these cannot be so few nodes, except in text, which is never that narrow. */
const MOST_YAML_LINES = 400_000;

function tooMuch(): Error {
  return requestEntityTooLarge(`limit is ${MOST_YAML_NODES} nodes of YAML`);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}

/** The first document of a stream; undefined when there is none. Throws DecodeError. */
export function parseFirstDocument(text: string): YamlNode | undefined {
  if (text.length > MOST_YAML_LINES && count(text, '\n') + count(text, ',') > MOST_YAML_LINES) throw tooMuch();
  const events = eventsOf(text);
  if (events.length > 2 * MOST_YAML_NODES) throw tooMuch();
  const [first] = events;
  return first === undefined ? undefined : new TreeBuilder(text).build(events);
}

/** The events of the stream. Upstream never looks at what follows the first document, so errors there do not count. */
function eventsOf(text: string, maxDepth = shallow): readonly Event[] {
  try {
    // js-yaml counts the document and the scalar at the bottom too
    return parseEvents(text, { maxDepth: maxDepth + 2 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    if (maxDepth === shallow && isTooDeep(error)) return eventsOf(text, depthLimit(text.length));
    const position = error.mark?.position ?? 0;
    const end = endOfFirstDocument(text);
    if (end === undefined || end > position) throw syntaxError(text, error);
    return eventsOf(text.slice(0, end), maxDepth);
  }
}

function endOfFirstDocument(text: string): number | undefined {
  const separator = /^(?:---|\.\.\.)(?=\s|$)/gm;
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    if (/^[^\S\n]*[^\s#%]/m.test(text.slice(0, match.index).replace(/^---/, ''))) return match.index;
  }
  return undefined;
}

class TreeBuilder {
  readonly #text: string;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #open: (SequenceNode | MappingNode)[] = [];
  #root: YamlNode | undefined;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  build(events: readonly Event[]): YamlNode | undefined {
    for (const event of events) {
      switch (event.type) {
        case EVENT_ID.DOCUMENT:
          if (this.#root !== undefined) return this.#root;
          break;
        case EVENT_ID.POP:
          if (this.#open.pop() === undefined) return this.#root;
          break;
        case EVENT_ID.SCALAR:
          this.#add(this.#scalar(event), event);
          break;
        case EVENT_ID.ALIAS:
          this.#add(this.#alias(this.#text.slice(event.anchorStart, event.anchorEnd), event.anchorStart - 1), undefined);
          break;
        case EVENT_ID.SEQUENCE:
        case EVENT_ID.MAPPING: {
          const offset = this.#startOf(event, event.start);
          const node = { kind: event.type === EVENT_ID.SEQUENCE ? 'sequence' : 'mapping', offset, items: [] } as SequenceNode | MappingNode;
          this.#add(node, event);
          this.#open.push(node);
        }
      }
    }
    return this.#root;
  }

  #add(node: YamlNode, properties: { readonly anchorStart: number; readonly anchorEnd: number } | undefined): void {
    if (properties !== undefined && properties.anchorStart >= 0) {
      this.#anchors.set(this.#text.slice(properties.anchorStart, properties.anchorEnd), node);
    }
    const parent = this.#open.at(-1);
    if (parent === undefined) this.#root ??= node;
    else parent.items.push(node);
  }

  #scalar(event: ScalarEvent): ScalarNode {
    const block = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
    return {
      kind: 'scalar',
      // a block scalar starts at its indicator, on the line before its text
      offset: this.#startOf(event, block ? event.valueStart - 1 : event.valueStart),
      tag: event.tagStart < 0 ? '' : shortTag(this.#text.slice(event.tagStart, event.tagEnd)),
      text: event.valueStart < 0 ? '' : getScalarValue(this.#text, event),
      plain: event.style === SCALAR_STYLE.PLAIN,
    };
  }

  #alias(name: string, offset: number): AliasNode {
    const target = this.#anchors.get(name);
    if (target === undefined) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
    return { kind: 'alias', offset, name, target };
  }

  #startOf(event: { readonly anchorStart: number; readonly tagStart: number }, start: number): number {
    const starts = [start, event.anchorStart - 1, event.tagStart].filter((offset) => offset >= 0);
    if (starts.length > 0) this.#offset = Math.min(...starts);
    return this.#offset;
  }
}

function shortTag(tag: string): string {
  const verbatim = /^!<(?:tag:yaml\.org,2002:)?(.*)>$/.exec(tag);
  return verbatim === null ? tag : `!!${verbatim[1]}`;
}
