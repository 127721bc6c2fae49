// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go#WriteObjectNegotiated
// Which records what it writes.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Steps } from '../../../base/steps.ts';
import { stepByStep } from '../../../base/steps.ts';
import { DecodeError } from '../../../machinery/codec/decode-error.ts';
import { stringify } from '../../../machinery/codec/json/write.ts';
import type { Status } from '../../../machinery/errors.ts';
import { ApiError } from '../../../machinery/errors.ts';
import type { StructType } from '../../../machinery/type-model.ts';
import { decodeEnvelope } from '../../../machinery/codec/protobuf/envelope.ts';
import { parseGroupVersion } from '../../../machinery/group-version.ts';
import type { Response, StreamBody } from '../../http/response.ts';
import type { Codecs, TypedObject } from '../../object/codecs.ts';
import { decodeObject, encodeObject } from '../../object/codecs.ts';
import type { Media } from '../../http/media-types.ts';
import { contentTypes } from '../../http/media-types.ts';
import { compactJson, typeMetaIn } from './json-text.ts';

/** What a response holds that is an object of the API. */
export interface ResponseObject {
  readonly json: string;
  readonly status: Status | undefined;
}

const unzip = promisify(gunzip);
const medias = Object.keys(contentTypes) as Media[];

/** A body that is sent in pieces, in one: for those who want to see it before it goes. */
export async function collected(response: Response): Promise<Response> {
  const { body } = response;
  return body === undefined || Buffer.isBuffer(body) ? response : { ...response, body: await collect(body) };
}

async function collect(body: StreamBody): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await body({
    write(chunk, flushed) {
      // the lender of the chunk takes it back
      chunks.push(Buffer.from(chunk));
      flushed?.();
      return true;
    },
    drained: async () => {},
    pending: 0,
    closed: false,
    onClose() {},
  });
  return Buffer.concat(chunks);
}

/** Larger objects in these forms are not recorded: they would have to be read back at once. */
const longestReadBack = 512 * 1024;

/** The object in a response, as JSON; undefined: the response is something else. `omitted`: it is too large to be recorded. */
export async function responseObject(codecs: Codecs, { headers, body }: Response): Promise<ResponseObject | 'omitted' | undefined> {
  if (!Buffer.isBuffer(body)) return undefined;
  const media = mediaOf(String(headers['content-type'] ?? ''));
  if (media === undefined) return undefined;
  const plain = headers['content-encoding'] === 'gzip' ? await unzip(body) : body;
  if ((media === 'yaml' || media === 'cbor') && plain.length > longestReadBack) return 'omitted';
  const given = await readBack(codecs, media, plain);
  if (given === 'omitted') return given;
  if (given.json === undefined) return undefined;
  const json = await stepByStep(compactJson(given.json));
  const { kind, apiVersion } = await stepByStep(typeMetaIn(json));
  // What has no kind is no object of the API: versions, documents.
  if (kind === undefined) return undefined;
  return { json, status: kind === 'Status' && apiVersion === 'v1' ? (JSON.parse(json) as Status) : undefined };
}

/** A response is sent though what it says cannot be read: there are limits to what is read, and none to what a list may hold. */
async function readBack(codecs: Codecs, media: Media, body: Buffer): Promise<{ readonly json: string | undefined } | 'omitted'> {
  try {
    return { json: media === 'protobuf' ? await stepByStep(protobufJson(codecs, body)) : jsonOf(codecs, media, body) };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof ApiError) return 'omitted';
    throw error;
  }
}

/** Whether a response may be a Status, which is recorded at every level: a look at its beginning. */
export function mayBeStatus({ headers, body }: Response): boolean {
  if (!Buffer.isBuffer(body) || headers['content-encoding'] !== undefined) return false;
  return mediaOf(String(headers['content-type'] ?? '')) === 'yaml' || body.subarray(0, 64).includes('Status');
}

function mediaOf(contentType: string): Media | undefined {
  const [type = ''] = contentType.split(';');
  return medias.find((media) => contentTypes[media].split(';')[0] === type);
}

function jsonOf(codecs: Codecs, media: Exclude<Media, 'protobuf'>, body: Buffer): string | undefined {
  switch (media) {
    case 'json':
      return body.toString();
    case 'yaml': {
      const { object } = codecs.yaml.decodeUnstructured(body, 'ignore');
      return typedJson(codecs, media, body, object) ?? stringify(object);
    }
    case 'cbor': {
      const { object } = codecs.cbor.decodeUnstructured(body);
      return typedJson(codecs, media, body, object) ?? stringify(object);
    }
  }
}

/** Of every list, metadata is field 1 and items are field 2. */
const itemsField = 2;

/** Lists are read item by item. */
function* protobufJson(codecs: Codecs, body: Buffer): Steps<string | undefined> {
  const { typeMeta, raw } = decodeEnvelope(body);
  const type = typeOf(codecs, typeMeta);
  const items = type?.byName.get('items')?.type;
  if (type === undefined || items?.kind !== 'list' || items.element.kind !== 'struct') return typedJson(codecs, 'protobuf', body, typeMeta);
  const written: string[] = [];
  const rest: Buffer[] = [];
  for (let at = 0; at < raw.length;) {
    const { field, from, to } = fieldAt(raw, at);
    if (field !== itemsField) rest.push(raw.subarray(at, to));
    at = to;
    if (field === itemsField) {
      const item = codecs.protobuf.decode(raw.subarray(from, to), items.element);
      yield;
      written.push(codecs.json.encode(item, items.element));
      yield;
    }
  }
  const list = { ...codecs.protobuf.decode(Buffer.concat(rest), type, typeMeta), items: [] };
  const text = codecs.json.encode(list, type);
  // Items are the last field of every list.
  return `${text.slice(0, text.lastIndexOf(']'))}${written.join(',')}${text.slice(text.lastIndexOf(']'))}`;
}

/** A field of a list, all of which are messages: where its content is. */
function fieldAt(bytes: Buffer, at: number): { readonly field: number; readonly from: number; readonly to: number } {
  const tag = bytes[at] as number;
  let [from, length, scale] = [at + 1, 0, 1];
  for (let byte = 0x80; byte >= 0x80; scale *= 128) {
    byte = bytes[from++] ?? 0;
    length += (byte & 0x7f) * scale;
  }
  if (tag >= 0x80 || (tag & 7) !== 2 || from + length > bytes.length) throw new DecodeError('no list');
  return { field: tag >> 3, from, to: from + length };
}

function typeOf(codecs: Codecs, { kind = '', apiVersion = '' }: TypedObject): StructType | undefined {
  const groupVersion = parseGroupVersion(apiVersion);
  return groupVersion && codecs.schema.typeOf({ ...groupVersion, kind });
}

/** With the keys in the order of its type; undefined: it is of no built-in type. */
function typedJson(codecs: Codecs, media: Media, body: Buffer, object: TypedObject): string | undefined {
  const type = typeOf(codecs, object);
  return type && encodeObject(codecs, 'json', decodeObject(codecs, media, body, type, false).object, type, false).toString();
}
