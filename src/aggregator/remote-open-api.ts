// Upstream: k8s.io/kube-aggregator/pkg/controllers/{openapi,openapiv3}/aggregator/downloader.go
import type { Steps } from '../base/steps.ts';
import { stepByStep } from '../base/steps.ts';
import { parsingJson } from '../machinery/codec/json/parse-in-steps.ts';
import type { MergeableV2 } from '../openapi/merge-v2.ts';
import { filterPaths } from '../openapi/merge-v2.ts';
import type { RemoteService } from './remote-service.ts';
import { read } from './service-reader.ts';
import type { ServiceTransport } from './service-transport.ts';

/** Where the documents of OpenAPI 3 are, by name. */
export type OpenApiPaths = Readonly<Record<string, { readonly serverRelativeURL: string }>>;

const timeoutMs = 60_000;
const user = { name: 'system:aggregator', uid: '', groups: [], extra: {} };

/** What a server says of its group version in OpenAPI 2; undefined when it says nothing. */
export async function readOpenApiV2(
  transport: ServiceTransport,
  service: RemoteService,
  signal: AbortSignal,
): Promise<MergeableV2 | undefined> {
  const answer = await read(transport, service, { target: '/openapi/v2', user, accept: 'application/json', timeoutMs, signal });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new Error(`failed to retrieve openAPI spec, http error: ${answer.status}`);
  const prefix = `/apis/${service.group}/${service.version}/`;
  const document = (await stepByStep(reading(answer.body.toString()))) as MergeableV2;
  return filterPaths(document, (path) => path.startsWith(prefix));
}

/** undefined: the server does not know OpenAPI 3. */
export async function readOpenApiV3(
  transport: ServiceTransport,
  service: RemoteService,
  signal: AbortSignal,
): Promise<OpenApiPaths | undefined> {
  const answer = await read(transport, service, { target: '/openapi/v3', user, timeoutMs, signal });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new Error('Error, could not get list of group versions for APIService');
  const index = (await stepByStep(parsingJson(answer.body.toString()))) as { paths?: OpenApiPaths };
  return index.paths ?? {};
}

/** A document may be large, and there is one for each server. */
function* reading(text: string): Steps<unknown> {
  const document = yield* parsingJson(text);
  if (typeof document !== 'object' || document === null) return document;
  for (const table of Object.values(document) as unknown[]) {
    if (typeof table !== 'object' || table === null) continue;
    for (const entry of Object.values(table) as unknown[]) {
      sortExtensions(entry);
      yield;
    }
    sortOwnExtensions(table);
  }
  sortOwnExtensions(document);
  return document;
}

/** Extensions have no declared order: what passes through the aggregator has them sorted, here in place. */
function sortExtensions(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value) as unknown[]) sortExtensions(member);
  sortOwnExtensions(value);
}

function sortOwnExtensions(value: object): void {
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) if (key.startsWith('x-')) object[key] = sorted(object[key]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
