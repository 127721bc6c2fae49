import { gunzipSync } from 'node:zlib';
import type { Result, Step } from './case.ts';
import type { Failed, Response } from './client.ts';
import { removeAt, valueAt } from './json-pointer.ts';
import type { Normaliser } from './normaliser.ts';
import { decodeFields } from './protobuf-fields.ts';

type Mutable = { -readonly [Key in keyof Result]: Result[Key] };

const comparedHeaders = ['content-type', 'content-encoding', 'warning', 'retry-after', 'allow', 'www-authenticate', 'location'];
const documentHeaders = [...comparedHeaders, 'cache-control', 'vary'];
const protobufMagic = 'k8s\0';

/** What is compared of a response. */
export function normalResponse(response: Response | Failed, step: Step, normaliser: Normaliser, category: string): Result {
  if (response.error !== undefined) return { error: response.error };
  const { status, body } = response;
  if (step.setup === true) {
    // The normaliser sees it, so that ordinals stay in step.
    if (startsAsJson(body.toString())) jsonOrText(body.toString(), normaliser);
    return { status };
  }
  const headers = normalHeaders(response.rawHeaders, normaliser, category);
  if (step.bodyCompare === 'none') return { status, headers };
  return { status, headers, ...normalBody(body, headers, step, normaliser) };
}

export function normalEvents(
  rawHeaders: readonly string[],
  lines: readonly string[],
  step: Step,
  normaliser: Normaliser,
  category: string,
): Result {
  const headers = normalHeaders(rawHeaders, normaliser, category);
  if (step.setup === true) return { status: 200 };
  if (step.bodyCompare === 'none') return { status: 200, headers };
  const events = lines.map((line) => jsonOrText(line, normaliser).body ?? normaliser.text(line));
  for (const pointer of step.ignore ?? []) for (const event of events) removeAt(event, pointer);
  return { status: 200, headers, events };
}

function normalBody(bytes: Buffer, headers: NonNullable<Result['headers']>, step: Step, normaliser: Normaliser): Result {
  const contentType = String(headers['content-type'] ?? '');
  let body = bytes;
  const note: Mutable = {};
  if (headers['content-encoding'] === 'gzip') {
    try {
      body = gunzipSync(bytes);
    } catch {
      note.note = 'bad gzip';
    }
  }
  if (body.length === 0) return { ...note, text: '' };
  if (contentType.includes('protobuf')) return { note: 'protobuf, decoded generically', ...protobufBody(body, normaliser) };
  const text = body.toString();
  if (contentType.includes('json') || startsAsJson(text)) {
    const result = jsonOrText(text, normaliser);
    for (const pointer of step.ignore ?? []) removeAt(result.body, pointer);
    for (const pointer of step.sortArrays ?? []) {
      const list = valueAt(result.body, pointer);
      if (Array.isArray(list)) list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    }
    return { ...note, ...result };
  }
  if (text.includes('�')) return { note: 'binary', base64: body.toString('base64') };
  return { ...note, text: normaliser.text(text) };
}

function protobufBody(body: Buffer, normaliser: Normaliser): Result {
  if (body.subarray(0, 4).toString('latin1') === protobufMagic) {
    try {
      return { pb: normaliser.envelope(decodeFields(body.subarray(4))) };
    } catch {
      // Not a message: compared by its bytes.
    }
  }
  return { base64: body.toString('base64') };
}

const startsAsJson = (text: string): boolean => /^\s*[{[]/.test(text);

function jsonOrText(text: string, normaliser: Normaliser): Result {
  try {
    return { body: normaliser.json(text) };
  } catch {
    return { text: normaliser.text(text) };
  }
}

function normalHeaders(raw: readonly string[], normaliser: Normaliser, category: string): NonNullable<Result['headers']> {
  const isDocument = category === 'discovery' || category === 'openapi';
  const compared = isDocument ? documentHeaders : comparedHeaders;
  const lists: Record<string, string[]> = {};
  let etag: { etag?: string } = {};
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    // An etag is there, or it is not.
    if (name === 'etag' && isDocument) etag = { etag: '<etag>' };
    if (compared.includes(name)) (lists[name] ??= []).push(normaliser.header(raw[index + 1] as string));
  }
  const headers = Object.entries(lists).map(([name, list]) => [name, list.length === 1 && name !== 'warning' ? list[0] : list]);
  return { ...etag, ...(Object.fromEntries(headers) as Record<string, string | string[]>) };
}
