// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go
import type { Steps } from '../../../base/steps.ts';
import { allSteps } from '../../../base/steps.ts';
import { deepCopy } from '../../deep-copy.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeUtf8 } from './go-text.ts';
import { parsingJson } from './parse-in-steps.ts';
import type { Scan } from './scan.ts';
import { scan, scanValue } from './scan.ts';
import { checkSyntax } from './syntax.ts';
import { stringify } from './write.ts';

/** What is known to be JSON, read first for its kind, then for the object. */
export interface JsonDocument {
  readonly scan: Scan;
  /** the value to look at and leave as it is */
  readonly value: unknown;
  /** The value, for the caller to keep and change. */
  take(): unknown;
  /** The text with broken UTF-8 replaced as Go does. */
  exactText(): string;
}

/** A body, parsed once. */
export class TextDocument implements JsonDocument {
  /** as it was sent */
  readonly source: Buffer | string;
  readonly #text: string;
  #value: unknown;
  #taken = false;
  readonly scan: Scan;

  /** Throws DecodeError with Go's words when the source is not JSON. */
  constructor(source: Buffer | string, { text, scan: found, value }: ScannedText = allSteps(readingText(source, false))) {
    this.source = source;
    this.#text = text;
    this.scan = found;
    this.#value = value;
  }

  /** The same for what may be large. */
  static *reading(source: Buffer | string): Steps<TextDocument> {
    return new TextDocument(source, yield* readingText(source, true));
  }

  /** Parsed again by the next caller. */
  take(): unknown {
    if (this.#taken) return JSON.parse(this.#text);
    this.#taken = true;
    return this.#value;
  }

  get value(): unknown {
    return this.#taken ? JSON.parse(this.#text) : this.#value;
  }

  exactText(): string {
    return this.#text;
  }
}

interface ScannedText {
  readonly text: string;
  readonly scan: Scan;
  readonly value: unknown;
}

function* readingText(source: Buffer | string, inSteps: boolean): Steps<ScannedText> {
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  const found = scan(text);
  const odd = found.odd || text.includes('\ufffd');
  yield;
  // JSON.parse has no limit of depth and takes long to get there; Go has one
  if (odd) checkSyntax(typeof source === 'string' ? Buffer.from(source) : source);
  try {
    const value: unknown = inSteps ? yield* parsingJson(text) : JSON.parse(text);
    return { text, scan: odd ? { ...found, odd } : found, value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    checkSyntax(typeof source === 'string' ? Buffer.from(source) : source);
    throw new DecodeError('unexpected end of JSON input', { cause: error });
  }
}

/** What another part of the server made, to be read as if it had come as a body; it costs a copy where text costs a parse. */
export class ValueDocument implements JsonDocument {
  readonly value: unknown;
  #copy: unknown;
  #scan: Scan | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get scan(): Scan {
    if (this.#scan !== undefined) return this.#scan;
    const found = scanValue(this.value);
    if (found.odd) checkSyntax(Buffer.from(this.exactText()));
    return (this.#scan = found);
  }

  /** What takes longest, ahead of time: others may get their turn in between. */
  *prepare(): Steps<void> {
    void this.scan;
    yield;
    this.#copy = deepCopy(this.value);
    yield;
  }

  take(): unknown {
    const copy = this.#copy ?? deepCopy(this.value);
    this.#copy = undefined;
    return copy;
  }

  exactText(): string {
    return stringify(this.value);
  }
}

export function readDocument(source: Buffer | string | JsonDocument): JsonDocument {
  return typeof source === 'string' || Buffer.isBuffer(source) ? new TextDocument(source) : source;
}

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

const metaType = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * The kind and version a body claims to have; empty where it does not say. A quirk of upstream: other than everything else, these two
 * names match in any case, because Go's own decoder looks for them.
 */
export function interpret(source: Buffer | string | JsonDocument): TypeMeta {
  try {
    return findTypeMeta(readDocument(source).value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
  }
}

function findTypeMeta(value: unknown): TypeMeta {
  const found = { apiVersion: '', kind: '' };
  if (value === null) return found;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new DecodeError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${metaType}`);
  }
  let mismatch: DecodeError | undefined;
  for (const [key, item] of Object.entries(value)) {
    if (key.length !== 4 && key.length !== 10) continue;
    const folded = key.toUpperCase().toLowerCase();
    const name = folded === 'kind' ? 'kind' : folded === 'apiversion' ? 'apiVersion' : undefined;
    if (name === undefined || item === null) continue;
    if (typeof item === 'string') found[name] = item;
    else mismatch ??= new DecodeError(`json: cannot unmarshal ${jsonKind(item)} into Go struct field .${name} of type string`);
  }
  if (mismatch !== undefined) throw mismatch;
  return found;
}

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
