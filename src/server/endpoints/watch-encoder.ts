// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/response.go#watchEncoder
import type { Status } from '../../machinery/errors.ts';
import { decodeTableOptions } from '../../machinery/options.ts';
import { ownBytes } from '../../machinery/codec/kept-bytes.ts';
import { encodeWatchFrame } from '../../machinery/codec/protobuf/watch.ts';
import type { CacheEvent, CacheEventType } from '../../storage/cache/types.ts';
import type { Request } from '../http/request.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { Media, OutputForm } from '../http/media-types.ts';
import type { KubeObject } from '../registry/definition.ts';
import type { StoredEntry } from '../registry/entry.ts';
import type { Endpoint } from './endpoint.ts';
import { jsonPrefix, partialMetadata, partialMetadataHead, sameShape, tableFor, versioned } from './render.ts';

export function watchContentType(media: Media): string {
  switch (media) {
    case 'json':
      return 'application/json';
    case 'cbor':
      return 'application/cbor-seq';
    default:
      return 'application/vnd.kubernetes.protobuf;stream=watch';
  }
}

/** What an event is to watchers, in one form. */
type Frames = Partial<Record<CacheEventType, Buffer>>;

const initialEventsAnnotation = 'k8s.io/initial-events-end';

/** Events to bytes for one watcher. An event is serialized once per form; every watcher of that form sends the same buffer. */
export class WatchEncoder {
  readonly #endpoint: Endpoint;
  readonly #form: OutputForm;
  readonly #formKey: string;
  readonly #includeObject: string;
  /** of stored metadata; undefined where they have to be made */
  readonly #metadataHead: string | undefined;
  /** a table's headers go out with the first event only */
  #headersSent = false;

  constructor(endpoint: Endpoint, request: Request, form: OutputForm) {
    this.#endpoint = endpoint;
    this.#form = form;
    this.#metadataHead = form.as === 'metadata' ? partialMetadataHead(endpoint, form) : undefined;
    this.#includeObject = form.as === 'table' ? decodeTableOptions(request.query).includeObject : '';
    // Two forms of CBOR are kept, each with an order of its own: no client is to rely on one.
    const variant = form.media === 'cbor' ? Math.floor(Math.random() * 2) : 0;
    this.#formKey = `${endpoint.versionedKind.apiVersion} ${form.media} ${form.as} ${form.metaVersion} ${variant}`;
  }

  /** Events are objects and cannot be shown as a list: such a watch begins, and ends with its first event. */
  get impossible(): boolean {
    return this.#form.partial === 'PartialObjectMetadataList';
  }

  /** All encoders that have it make the same bytes of an initial event; undefined: it depends on what was sent before. */
  get sharedForm(): string | undefined {
    return this.#form.as === 'table' || this.impossible ? undefined : this.#formKey;
  }

  /** An object that was there when the watch began, in bytes of which the encoder keeps none. */
  initial(object: StoredEntry): Buffer {
    return this.#direct('ADDED', object, Buffer.allocUnsafe) ?? this.#frame('ADDED', this.#body(versioned(this.#endpoint, object)));
  }

  event(type: CacheEventType, event: CacheEvent<StoredEntry>): Buffer {
    if (this.#form.as === 'table') return this.#frame(type, this.#body(versioned(this.#endpoint, event.object)));
    const { encodings } = event;
    // By form, then by what the event is to this watcher: a key of both would be joined, and hashed, for each watcher.
    let frames = encodings.get(this.#formKey) as Frames | undefined;
    if (frames === undefined) encodings.set(this.#formKey, (frames = {}));
    // The history keeps them for a while.
    return (frames[type] ??=
      this.#direct(type, event.object, Buffer.allocUnsafeSlow) ??
      ownBytes(this.#frame(type, this.#body(versioned(this.#endpoint, event.object)))));
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const { versionedKind, context } = this.#endpoint;
    const metadata = {
      resourceVersion: String(revision),
      ...(initialEventsEnd && { annotations: { [initialEventsAnnotation]: 'true' } }),
    };
    const bare = { kind: versionedKind.kind, apiVersion: versionedKind.apiVersion, metadata };
    const object = versionedKind.profile.isTyped ? (context.codecs.json.complete(bare, versionedKind.type) as KubeObject) : bare;
    return this.#frame('BOOKMARK', this.#body(object));
  }

  error(status: Status): Buffer {
    const { codecs } = this.#endpoint.context;
    return this.#frame('ERROR', encodeObject(codecs, this.#form.media, status, metaType(codecs, 'Status'), false));
  }

  /** JSON of the stored shape: one copy from the cached bytes into the event. */
  #direct(type: CacheEventType, entry: StoredEntry, allocate: (size: number) => Buffer): Buffer | undefined {
    if (this.#metadataHead !== undefined) return entry.metadataJson(`{"type":"${type}","object":${this.#metadataHead}`, '}}\n', allocate);
    if (this.#form.media !== 'json' || this.#form.as !== 'object' || !sameShape(this.#endpoint)) return undefined;
    const prefix = jsonPrefix(this.#endpoint);
    const head = `{"type":"${type}","object":`;
    const bytes = allocate(head.length + entry.jsonLength(prefix) + 2);
    let at = bytes.write(head, 0, 'latin1');
    at = entry.writeJson(bytes, at, prefix);
    bytes[at] = 0x7d;
    bytes[at + 1] = 0x0a;
    return bytes;
  }

  #body(object: KubeObject): Buffer {
    const { versionedKind, context } = this.#endpoint;
    const form = this.#form;
    switch (form.as) {
      case 'object':
        return versionedKind.encode(form.media, object, false);
      case 'metadata':
        return encodeObject(
          context.codecs,
          form.media,
          partialMetadata(this.#endpoint, object, form),
          metaType(context.codecs, 'PartialObjectMetadata', form.metaVersion),
          false,
        );
      case 'table': {
        const table = tableFor(this.#endpoint, form, [object], {
          listMeta: { resourceVersion: object.metadata.resourceVersion ?? '' },
          includeObject: this.#includeObject,
          noHeaders: this.#headersSent,
        });
        this.#headersSent = true;
        return encodeObject(context.codecs, form.media, table, metaType(context.codecs, 'Table', form.metaVersion), false);
      }
    }
  }

  #frame(type: string, body: Buffer): Buffer {
    switch (this.#form.media) {
      case 'protobuf':
        return encodeWatchFrame(type, body);
      case 'cbor':
        return this.#endpoint.context.codecs.cbor.encodeWatchEvent(type, body, 'shuffled');
      default: {
        const end = body[body.length - 1] === 0x0a ? body.length - 1 : body.length;
        return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), body.subarray(0, end), Buffer.from('}\n')]);
      }
    }
  }
}
