import type { CacheEntry } from '../../storage/cache/types.ts';
import type { FieldTexts } from '../../machinery/codec/json/field-texts.ts';
import { fieldSpans } from '../../machinery/codec/json/owners-text.ts';
import { parseJson } from '../../machinery/codec/json/parse.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { StoredLayout } from '../object/stored-json.ts';
import { metadataSpan, uidIn } from '../object/stored-json.ts';

type Noted = readonly [
  labels: StoredEntry['labels'] | null,
  fields: StoredEntry['fields'],
  isVetted: boolean,
  bodyStart: number,
  splice: number,
  before: string,
  after: string,
];

/** An object as the cache holds it: its stored bytes, what selectors need, and nothing else. */
export class StoredEntry implements CacheEntry {
  readonly key: string;
  /** 0: not stored (a dry run), and shown without a resource version */
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly fields: Readonly<Record<string, string>>;
  /** complete JSON in the storage version, without a resource version */
  readonly value: Buffer;
  /** written in another way than new values are (another key or format): the next update writes even when nothing changed */
  readonly stale: boolean;
  /** the object has passed all rules of its kind in this process */
  readonly isVetted: boolean;
  readonly #layout: StoredLayout;

  constructor(
    key: string,
    revision: number,
    labels: Readonly<Record<string, string>> | undefined,
    fields: Readonly<Record<string, string>>,
    value: Buffer,
    layout: StoredLayout,
    stale = false,
    isVetted = false,
  ) {
    this.key = key;
    this.revision = revision;
    this.labels = labels;
    this.fields = fields;
    this.value = value;
    this.#layout = layout;
    this.stale = stale;
    this.isVetted = isVetted;
  }

  /** All but its value, and what depends on when it is read. */
  note(): string {
    const { bodyStart, splice, before, after } = this.#layout;
    const noted: Noted = [this.labels ?? null, this.fields, this.isVetted, bodyStart, splice, before, after];
    return JSON.stringify(noted);
  }

  /** The entry of a value that another thread of this process has made a note of. */
  static ofNote(key: string, value: Buffer, note: string): StoredEntry {
    const [labels, fields, isVetted, bodyStart, splice, before, after] = JSON.parse(note) as Noted;
    return new StoredEntry(key, 0, labels ?? undefined, fields, value, { bodyStart, splice, before, after }, false, isVetted);
  }

  /** The same object at another revision: what a DELETED event shows. */
  at(revision: number, stale = false): StoredEntry {
    return new StoredEntry(this.key, revision, this.labels, this.fields, this.value, this.#layout, stale, this.isVetted);
  }

  /** The same object as a dry run shows it: with a resource version that may be any text. */
  showing(resourceVersion: string): StoredEntry {
    const { splice, before, after } = this.#layout;
    const version = Buffer.from(before + JSON.stringify(resourceVersion).slice(1, -1) + after);
    const value = Buffer.concat([this.value.subarray(0, splice), version, this.value.subarray(splice)]);
    return new StoredEntry(this.key, 0, this.labels, this.fields, value, this.#layout);
  }

  get uid(): string {
    return uidIn(this.value, this.#layout);
  }

  /** Bytes of the JSON form, given what replaces `{"kind":…,"apiVersion":…,` (undefined: keep it). */
  jsonLength(prefix: Buffer | undefined): number {
    const { bodyStart, before, after } = this.#layout;
    const body = (prefix?.length ?? 0) + this.value.length - (prefix === undefined ? 0 : bodyStart);
    return this.revision === 0 ? body : body + before.length + String(this.revision).length + after.length;
  }

  /** Writes the JSON form at `offset`; returns the offset after it. */
  writeJson(target: Buffer, offset: number, prefix: Buffer | undefined): number {
    const { bodyStart, splice, before, after } = this.#layout;
    let at = offset;
    if (prefix !== undefined) at += prefix.copy(target, at);
    at += this.value.copy(target, at, prefix === undefined ? 0 : bodyStart, splice);
    if (this.revision !== 0) at += target.write(before + String(this.revision) + after, at, 'latin1');
    return at + this.value.copy(target, at, splice);
  }

  /** The JSON of `metadata` between `head` and `tail`, which are ASCII, in bytes that `allocate` makes. */
  metadataJson(head: string, tail: string, allocate: (size: number) => Buffer): Buffer {
    const { splice, before, after } = this.#layout;
    const [start, end] = metadataSpan(this.value, this.#layout);
    const version = this.revision === 0 ? '' : before + String(this.revision) + after;
    const bytes = allocate(head.length + end - start + version.length + tail.length);
    let at = bytes.write(head, 0, 'latin1');
    at += this.value.copy(bytes, at, start, splice);
    at += bytes.write(version, at, 'latin1');
    at += this.value.copy(bytes, at, splice, end);
    bytes.write(tail, at, 'latin1');
    return bytes;
  }

  /**
   * The object, parsed, with `fieldsV1` that are shared by all who have the same and not to be changed; undefined where only the whole text
   * can tell what it says.
   */
  parseSharing(known: FieldTexts): KubeObject | undefined {
    const spans = fieldSpans(this.value, this.#layout.splice);
    if (spans.length === 0) return undefined;
    const { splice, before, after } = this.#layout;
    let text = this.revision === 0 ? '' : this.value.toString('utf8', 0, splice) + before + String(this.revision) + after;
    let at = this.revision === 0 ? 0 : splice;
    for (const { start, end } of spans) {
      text += `${this.value.toString('utf8', at, start)}{}`;
      at = end;
    }
    const object = parseJson(text + this.value.toString('utf8', at)) as KubeObject;
    let found = 0;
    for (const owner of (object.metadata.managedFields ?? []) as { fieldsV1?: unknown }[]) {
      if (typeof owner.fieldsV1 !== 'object' || owner.fieldsV1 === null) continue;
      const span = spans[found++];
      if (span === undefined) return undefined;
      owner.fieldsV1 = known.read(this.value.toString('utf8', span.start, span.end));
    }
    return found === spans.length ? object : undefined;
  }

  /** As `json`, for those who parse it. */
  text(): string {
    const { splice, before, after } = this.#layout;
    if (this.revision === 0) return this.value.toString();
    return this.value.toString('utf8', 0, splice) + before + String(this.revision) + after + this.value.toString('utf8', splice);
  }

  json(prefix?: Buffer): Buffer {
    const target = Buffer.allocUnsafe(this.jsonLength(prefix));
    this.writeJson(target, 0, prefix);
    return target;
  }
}
