// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/writers.go#WriteObjectNegotiated
// Which records what it writes.
import { stringify } from '../../../machinery/codec/json/write.ts';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Status } from '../../../machinery/errors.ts';
import { decodeEnvelope } from '../../../machinery/codec/protobuf/envelope.ts';
import { parseGroupVersion } from '../../../machinery/group-version.ts';
import type { Response, StreamBody } from '../../http/response.ts';
import type { Codecs, TypedObject } from '../../object/codecs.ts';
import { decodeObject, encodeObject } from '../../object/codecs.ts';
import type { Media } from '../../http/media-types.ts';
import { contentTypes } from '../../http/media-types.ts';

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

/** The object in a response, as JSON; undefined: the response is something else. */
export async function responseObject(codecs: Codecs, { headers, body }: Response): Promise<ResponseObject | undefined> {
  if (!Buffer.isBuffer(body)) return undefined;
  const media = mediaOf(String(headers['content-type'] ?? ''));
  if (media === undefined) return undefined;
  const json = jsonOf(codecs, media, headers['content-encoding'] === 'gzip' ? await unzip(body) : body);
  if (json === undefined) return undefined;
  const object = JSON.parse(json) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  // What has no kind is no object of the API: versions, documents.
  if (typeof object.kind !== 'string') return undefined;
  return { json, status: object.kind === 'Status' && object.apiVersion === 'v1' ? (object as Status) : undefined };
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

function jsonOf(codecs: Codecs, media: Media, body: Buffer): string | undefined {
  switch (media) {
    case 'json':
      return body.toString();
    case 'protobuf':
      return typedJson(codecs, media, body, decodeEnvelope(body).typeMeta);
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

/** With the keys in the order of its type; undefined: it is of no built-in type. */
function typedJson(codecs: Codecs, media: Media, body: Buffer, { kind = '', apiVersion = '' }: TypedObject): string | undefined {
  const groupVersion = parseGroupVersion(apiVersion);
  const type = groupVersion && codecs.schema.typeOf({ ...groupVersion, kind });
  return type && encodeObject(codecs, 'json', decodeObject(codecs, media, body, type, false).object, type, false).toString();
}
