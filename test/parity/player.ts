import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, Result, Step } from './case.ts';
import { Cleaner } from './cleaner.ts';
import type { EventStream, Failed, ParityClient, Response } from './client.ts';
import { valueAt } from './json-pointer.ts';
import { normalEvents, normalResponse } from './normal-response.ts';
import { Normaliser } from './normaliser.ts';
import type { Variables } from './variables.ts';
import { replaceAll, replaceIn } from './variables.ts';

/** What a case is given of its own. */
export interface Ground {
  namespace: string;
  readonly id: string;
  readonly ip: string;
  readonly usesNamespace: boolean;
}

export interface Played {
  readonly results: readonly Result[];
  /** the case has changed nothing: its namespace is as good as new */
  readonly isPristine: boolean;
  /** the server did not respond */
  readonly isLost: boolean;
}

const retryMs = 80;
const consonants = 'bcdfghjklmnpqrstvwxz';
const randomName = (): string => Array.from(randomBytes(10), (byte) => consonants[byte % consonants.length]).join('');

/** `number` makes addresses differ that are not to be used twice. */
export function groundFor(one: Case, number: number): Ground {
  const ip = `10.2${10 + (number % 40)}.${100 + (Math.floor(number / 40) % 150)}.${100 + (Math.floor(number / 6000) % 150)}`;
  return { namespace: `dn-${randomName()}`, id: `dx-${randomName()}`, ip, usesNamespace: JSON.stringify(one).includes('{ns}') };
}

/** Plays a case and takes away what it has made. */
export async function play(client: ParityClient, one: Case, ground: Ground, keep = false): Promise<Played> {
  const run = new CaseRun(client, one, ground);
  try {
    for (const step of one.steps) {
      if (!(await run.step(step))) break;
    }
  } finally {
    run.closeStreams();
  }
  const { results, created, hasChanged, isLost } = run;
  if (!isLost || created.length > 0)
    await new Cleaner(client, keep).clean(created, hasChanged && ground.usesNamespace ? ground.namespace : undefined);
  return { results, isPristine: !hasChanged, isLost };
}

class CaseRun {
  readonly results: Result[] = [];
  readonly created: string[] = [];
  hasChanged = false;
  isLost = false;
  readonly #client: ParityClient;
  readonly #case: Case;
  readonly #variables: Variables;
  readonly #normaliser: Normaliser;
  readonly #streams = new Map<string, { readonly stream: EventStream | Response | Failed; readonly step: Step }>();

  constructor(client: ParityClient, one: Case, { namespace: ns, id, ip }: Ground) {
    this.#client = client;
    this.#case = one;
    this.#variables = { ns, id, ip };
    this.#normaliser = new Normaliser(JSON.stringify(one), [
      [ns, '{ns}'],
      [id, '{id}'],
      [ip, '{ip}'],
    ]);
  }

  closeStreams(): void {
    for (const { stream } of this.#streams.values()) if ('close' in stream) stream.close();
  }

  /** False: the rest of the case would say nothing. */
  async step(step: Step): Promise<boolean> {
    if (step.sleepMs !== undefined) await sleep(step.sleepMs);
    if (step.collect !== undefined) {
      const started = this.#streams.get(step.collect);
      await this.#finish(started?.stream ?? { error: 'no such stream' }, step, step.stream ?? started?.step.stream);
      return true;
    }
    if (step.method === undefined) {
      this.results.push({ status: 0 });
      return true;
    }
    const response = await this.#request(step, step.method);
    const failed = response.error !== undefined;
    if (step.method !== 'GET' && step.method !== 'HEAD' && (failed || response.status < 400)) this.hasChanged = true;
    if (step.background === true) {
      this.#streams.set(step.name ?? String(this.results.length), { stream: response, step });
      this.results.push(failed ? { error: response.error } : { status: response.status });
      return true;
    }
    if (!failed) this.#remember(step, response);
    await this.#finish(response, step, step.stream);
    if (!failed || response.error.startsWith('client')) return true;
    this.isLost = true;
    return false;
  }

  async #finish(response: EventStream | Response | Failed, step: Step, limits: Step['stream']): Promise<void> {
    const { category } = this.#case;
    if (!('take' in response)) {
      this.results.push(normalResponse(response, step, this.#normaliser, category));
      return;
    }
    const { timeoutSeconds = 2, maxEvents = 1000 } = limits ?? {};
    const lines = await response.take(maxEvents, Math.min(timeoutSeconds, 60) * 1000);
    if (step.capture !== undefined) this.#capture(lines.map(parsed), step.capture);
    this.results.push(normalEvents(response.rawHeaders, lines, step, this.#normaliser, category));
  }

  async #request(step: Step, method: string): Promise<EventStream | Response | Failed> {
    const path = replaceIn(step.path ?? '', this.#variables);
    const asked = {
      method,
      path,
      headers: this.#headers(step),
      body: this.#body(step),
      anonymous: step.auth !== undefined,
      stream: step.stream !== undefined,
      rawPath: step.rawPath === true,
    };
    let response = await this.#client.ask(asked);
    const { until } = step;
    if (until === undefined) return response;
    const deadline = Date.now() + (until.timeoutSeconds ?? 10) * 1000;
    while (!this.#isReached(until, response) && Date.now() < deadline) {
      // A success that came too early would be in the way of the next attempt.
      if ('body' in response && response.status === 201 && !path.includes('dryRun=')) {
        const bare = path.split('?')[0] as string;
        await new Cleaner(this.#client).clean([method === 'POST' ? `${bare}/${nameIn(response)}` : bare]);
      }
      await sleep(retryMs);
      response = await this.#client.ask(asked);
    }
    return response;
  }

  #isReached({ status, pointer, equals }: NonNullable<Step['until']>, response: EventStream | Response | Failed): boolean {
    if (response.error !== undefined || (status !== undefined && response.status !== status)) return false;
    if (pointer === undefined) return true;
    if (!('body' in response)) return false;
    const value = valueAt(parsed(response.body.toString()), replaceIn(pointer, this.#variables));
    return equals === undefined ? value !== undefined : JSON.stringify(value) === JSON.stringify(replaceAll(equals, this.#variables));
  }

  #headers({ headers, as, auth, body, rawBody, rawBase64, fill }: Step): Record<string, string | readonly string[] | null> {
    const all: Record<string, string | readonly string[] | null> = {};
    for (const [name, value] of Object.entries(headers ?? {})) all[name.toLowerCase()] = replaceAll(value, this.#variables);
    const { user, uid, groups = [], extra = {} } = replaceAll(as ?? {}, this.#variables);
    if (user) all['impersonate-user'] = user;
    if (uid) all['impersonate-uid'] = uid;
    if (groups.length > 0) all['impersonate-group'] = groups;
    for (const [key, values] of Object.entries(extra)) all[`impersonate-extra-${key}`] = values;
    const hasBody = [body, rawBody, rawBase64, fill].some((given) => given !== undefined);
    if (hasBody && !('content-type' in all)) all['content-type'] = 'application/json';
    if (auth?.startsWith('bearer:')) all['authorization'] = `Bearer ${replaceIn(auth.slice(7), this.#variables)}`;
    return all;
  }

  #body({ body, rawBody, rawBase64, fill }: Step): string | Buffer | undefined {
    const text = (given = ''): string => replaceIn(given, this.#variables);
    if (rawBody !== undefined) return text(rawBody);
    if (rawBase64 !== undefined) return Buffer.from(rawBase64, 'base64');
    if (fill !== undefined) return text(fill.prefix) + fill.unit.repeat(fill.count) + text(fill.suffix);
    return body === undefined ? undefined : JSON.stringify(replaceAll(body, this.#variables));
  }

  /** Variables, and what is to be taken away at the end. */
  #remember(step: Step, response: EventStream | Response): void {
    for (const [variable, header] of Object.entries(step.captureHeader ?? {})) {
      const index = response.rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === header.toLowerCase());
      if (index >= 0) this.#variables[variable] = response.rawHeaders[index + 1];
    }
    if (!('body' in response) || response.status >= 300) return;
    if (step.capture !== undefined) this.#capture(parsed(response.body.toString()), step.capture);
    const [path = '', query = ''] = replaceIn(step.path ?? '', this.#variables).split('?');
    if (response.status !== 201 || query.includes('dryRun=')) return;
    const name = nameIn(response);
    if (step.method !== 'POST') this.created.push(path);
    else if (name !== undefined) this.created.push(`${path}/${name}`);
  }

  #capture(from: unknown, pointers: Readonly<Record<string, string>>): void {
    for (const [variable, pointer] of Object.entries(pointers)) {
      const value = valueAt(from, pointer);
      if (value !== undefined) this.#variables[variable] = value;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const nameIn = ({ body }: Response): string | undefined => valueAt(parsed(body.toString()), '/metadata/name') as string | undefined;
