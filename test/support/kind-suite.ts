/**
 * The specification of a kind as a table of cases, each a sentence, requests, and what matters of the last response.
 *
 * The server is a real one, in memory. With KIND_SUITE_KUBECONFIG (certificates inline, no controllers) the same tables run against another server,
 * for example upstream's, which is how the expected responses were found to be right.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { TestServer, TestServerOptions } from '../../src/testing/index.ts';
import { startTestServer } from '../../src/testing/index.ts';
import type { RawAnswer, ServerAddress } from './raw-client.ts';
import { RawClient } from './raw-client.ts';

export interface KindSuite {
  /** the collection; `{ns}` is a namespace of the suite's own */
  readonly path: string;
  readonly server?: TestServerOptions;
  readonly cases: readonly KindCase[];
}

/** Every request but the last has to succeed. `{name}` (of the object, its own in each case) and `{ns}` are filled in everywhere. */
export type KindCase = readonly [does: string, steps: readonly Step[], expected: Expected];

export interface Expected {
  /** default: 422 with `causes`, otherwise any success */
  readonly status?: number;
  /** of the object or Status: these fields, `undefined` for those that must be absent; other fields are not looked at, arrays are whole */
  readonly fields?: object;
  readonly message?: string | RegExp;
  /** of a Status of 422, in their order, as `field: message` */
  readonly causes?: readonly (string | RegExp)[];
  /** all of them */
  readonly warnings?: readonly string[];
  /** of the only row of a table, by column, in their order */
  readonly cells?: Readonly<Record<string, string | number | boolean | RegExp>>;
}

export type Step = (requests: CaseRequests) => Promise<RawAnswer>;

type Json = Readonly<Record<string, unknown>>;

/** POST to the collection. The object is named after its case unless it has a name. */
export const create =
  (object: object, query = ''): Step =>
  (requests) =>
    requests.send('POST', query, named(object, requests.name));

/** A merge patch of the object or its subresource. */
export const merge =
  (patch: object, subresource = ''): Step =>
  (requests) =>
    requests.send('PATCH', at(subresource), patch, { 'content-type': 'application/merge-patch+json' });

/** PUT of the object as it is now with these changes, given as a merge patch would have them. */
export const replace =
  (changes: object, subresource = ''): Step =>
  async (requests) => {
    const now = JSON.parse((await requests.send('GET', at(subresource))).text) as Json;
    return requests.send('PUT', at(subresource), merged(now, changes) as object);
  };

/** Server-side apply of the object or its subresource. */
export const apply =
  (object: object, manager: string, subresource = ''): Step =>
  (requests) =>
    requests.send('PATCH', `${at(subresource)}?fieldManager=${manager}`, named(object, requests.name), {
      'content-type': 'application/apply-patch+yaml',
    });

export const get =
  (subresource = ''): Step =>
  (requests) =>
    requests.send('GET', at(subresource));

export const remove =
  (options: object = {}): Step =>
  (requests) =>
    requests.send('DELETE', '/{name}', options);

export const post =
  (subresource: string, body: object): Step =>
  (requests) =>
    requests.send('POST', at(subresource), body);

export const list =
  (query: string): Step =>
  (requests) =>
    requests.send('GET', `?${query}`);

/** The object as a row. */
export const table: Step = (requests) =>
  requests.send('GET', '/{name}', undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });

/** Any other request. */
export const send =
  (method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Step =>
  (requests) =>
    requests.call(method, path, body, headers);

const at = (subresource: string): string => (subresource === '' ? '/{name}' : `/{name}/${subresource}`);

export function describeKind(kind: string, { path, server: options, cases }: KindSuite): void {
  describe(kind, () => {
    const namespace = `kinds-${kind.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
    const external = process.env['KIND_SUITE_KUBECONFIG'];
    let server: TestServer | undefined;
    let client: RawClient;

    before(async () => {
      if (external === undefined) server = await startTestServer({ controllers: false, ...options });
      client = new RawClient(server ?? addressIn(external as string));
      if (path.includes('{ns}')) await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
    });

    after(async () => {
      await client[Symbol.asyncDispose]();
      await server?.stop();
    });

    for (const [index, [does, steps, expected]] of cases.entries()) {
      test(does, async () => {
        const requests = new CaseRequests(client, path, { name: `case-${index}`, ns: namespace });
        try {
          await requests.run(steps, expected);
        } finally {
          // A server of our own goes away with what it holds.
          if (server === undefined) await requests.cleanUp();
        }
      });
    }
  });
}

export class CaseRequests {
  readonly #client: RawClient;
  readonly #path: string;
  readonly #names: Readonly<Record<string, string>>;
  readonly #created: string[] = [];

  constructor(client: RawClient, path: string, names: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#path = path;
    this.#names = names;
  }

  get name(): string {
    return this.#names['name'] ?? '';
  }

  send(method: string, rest: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    return this.call(method, this.#path + rest, body, headers);
  }

  async call(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    const to = this.#filled(path);
    const answer = await this.#client.call(method, to, { headers, ...(body !== undefined && { body: this.#filled(body) }) });
    if (answer.status === 201) {
      const { metadata } = JSON.parse(answer.text) as { metadata?: { name?: string } };
      const collection = to.replace(/\?.*/, '');
      if (metadata?.name !== undefined) this.#created.push(method === 'POST' ? `${collection}/${metadata.name}` : collection);
    }
    return answer;
  }

  async run(steps: readonly Step[], expected: Expected): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const answer = await step(this);
      if (index === steps.length - 1) judge(answer, this.#filled(expected));
      else assert.ok(answer.status < 300, `step ${index + 1}: ${answer.status} ${answer.text}`);
    }
  }

  async cleanUp(): Promise<void> {
    const headers = { 'content-type': 'application/merge-patch+json' };
    for (const path of this.#created.toReversed()) {
      await this.#client.call('PATCH', path, { headers, body: { metadata: { finalizers: null } } });
      await this.#client.call('DELETE', path, { body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } });
    }
  }

  #filled<T>(value: T): T {
    return mapStrings(value, (text) => text.replaceAll(/\{(name|ns)\}/g, (_, key: string) => this.#names[key] ?? '')) as T;
  }
}

/** Throws unless the response is as expected. */
export function judge(answer: RawAnswer, { status, fields, message, causes, warnings, cells }: Expected): void {
  const expectedStatus = status ?? (causes === undefined ? undefined : 422);
  if (expectedStatus === undefined) assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  else assert.equal(answer.status, expectedStatus, answer.text);
  const body = JSON.parse(answer.text) as Json & { message?: string; details?: { causes?: { field: string; message: string }[] } };
  if (fields !== undefined) assert.deepEqual(seen(body, fields), fields);
  if (message !== undefined) assert.deepEqual(seen(body.message, message), message);
  if (causes !== undefined) {
    const found = (body.details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`);
    assert.deepEqual(seen(found, causes), causes);
  }
  if (warnings !== undefined) assert.deepEqual(warningsIn(answer), warnings);
  if (cells !== undefined) {
    const { columnDefinitions, rows } = body as unknown as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
    assert.equal(rows.length, 1);
    const row = columnDefinitions.map(({ name }, index) => [name, seen(rows[0]?.cells[index], cells[name])]);
    assert.deepEqual(row, Object.entries(cells));
  }
}

/** As much of a value as is expected of it. Text that matches an expected pattern becomes the pattern, so that the two can be compared. */
function seen(actual: unknown, expected: unknown): unknown {
  if (expected instanceof RegExp) return typeof actual === 'string' && expected.test(actual) ? expected : actual;
  if (Array.isArray(expected)) return Array.isArray(actual) ? actual.map((item, index) => seen(item, expected[index])) : actual;
  if (!isObject(expected) || !isObject(actual)) return actual;
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, seen(actual[key], value)]));
}

/** `299 - "text"`, more than one of them joined by commas. */
function warningsIn({ headers }: RawAnswer): string[] {
  return [...(headers['warning'] ?? '').matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map((match) => JSON.parse(match[1] as string) as string);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp);

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
  return value;
}

function named(object: object, name: string): object {
  const { metadata = {}, ...rest } = object as { metadata?: object };
  return { ...rest, metadata: 'generateName' in metadata ? metadata : { name, ...metadata } };
}

function merged(value: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes;
  const result: Record<string, unknown> = isObject(value) ? { ...value } : {};
  for (const [key, change] of Object.entries(changes)) {
    if (change === null) delete result[key];
    else result[key] = merged(result[key], change);
  }
  return result;
}

function addressIn(kubeconfig: string): ServerAddress {
  const text = readFileSync(kubeconfig, 'utf8');
  const word = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const pem = (key: string): string => Buffer.from(word(new RegExp(`${key}-data: "?([\\w+/=]+)`)), 'base64').toString();
  return {
    url: word(/server: "?([^",}\s]+)/),
    authority: { certificate: pem('certificate-authority') },
    admin: { certificate: pem('client-certificate'), key: pem('client-key') },
  };
}
