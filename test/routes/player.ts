// Asks a server every case as every user and records its responses.
import { createHash } from 'node:crypto';
import type { ClientHttp2Session } from 'node:http2';
import { connect, constants } from 'node:http2';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../support/kubeconfig.ts';
import type { Case } from './cases.ts';
import { estate } from './estate.ts';

export interface Answer {
  /** status code, and the shape of a refusal: `s` a Status, `d` one that names a resource, `t` text */
  readonly verdict: string;
  readonly body: string;
}

/** A stranger brings no certificate, so that every request has a connection of its own: it asks a part of the cases only. */
export const users = ['stranger', 'anonymous', 'nobody', 'owner', 'node', 'master'] as const;
export type User = (typeof users)[number];

const identities: Readonly<Record<User, Readonly<Record<string, string>>>> = {
  stranger: {},
  anonymous: { 'impersonate-user': 'system:anonymous' },
  nobody: { 'impersonate-user': 'nobody' },
  owner: { 'impersonate-user': 'owner' },
  node: { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' },
  master: {},
};
const contentTypes: Readonly<Record<string, string>> = {
  POST: 'application/json',
  PUT: 'application/json',
  PATCH: 'application/merge-patch+json',
};
const concurrency = 24;
const strangersShare = 101;
const commonShare = 3;

export function casesOf(user: User, cases: readonly Case[]): readonly Case[] {
  if (user === 'stranger') return cases.filter((_, index) => index % strangersShare === 0);
  if (user === 'owner' || user === 'master') return cases;
  return cases.filter(({ isCommon }, index) => !isCommon || index % commonShare === 0);
}

/** Cases are known by what they are: a recording of others is none. */
export function digestOf(cases: readonly Case[]): string {
  return createHash('sha256').update(JSON.stringify(cases)).digest('hex').slice(0, 16);
}

export class Player implements Disposable {
  readonly #target: Target;
  readonly #session: ClientHttp2Session;

  constructor(target: Target) {
    this.#target = target;
    this.#session = connect(target.url, { ca: target.ca, cert: target.cert, key: target.key });
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  /** Makes what the cases are about, and waits until the server knows it. */
  async prepare(): Promise<void> {
    for (const { path, object } of estate) {
      await this.#until(`POST ${path}`, async () => {
        const { verdict } = await this.ask('master', { method: 'POST', path }, JSON.stringify(object));
        return verdict === '201' || verdict.startsWith('409');
      });
    }
    await this.#until(
      'RBAC',
      async () => (await this.ask('owner', { method: 'GET', path: '/api/v1/namespaces/a/configmaps/c' })).verdict === '200',
    );
    await this.#until(
      'Node',
      async () => (await this.ask('node', { method: 'GET', path: '/api/v1/namespaces/a/secrets/mounted' })).verdict === '200',
    );
  }

  async #until(what: string, done: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      if (await done()) return;
      await sleep(100);
    }
    throw new Error(`the server does not get ready: ${what}`);
  }

  /** The responses to the user's part of all cases. */
  async play(user: User, all: readonly Case[]): Promise<Answer[]> {
    const cases = casesOf(user, all);
    const answers: Answer[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < cases.length) {
        const index = next++;
        answers[index] = await this.ask(user, cases[index] as Case);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return answers;
  }

  ask(user: User, { method, path }: Pick<Case, 'method' | 'path'>, body = '{}'): Promise<Answer> {
    const contentType = contentTypes[method];
    const type = contentType === undefined ? {} : { 'content-type': contentType };
    if (user === 'stranger') return this.#askAlone({ method, path }, type, body);
    const headers = { ':method': method, ':path': path, ...identities[user], ...type };
    const stream = this.#session.request(headers, { endStream: contentType === undefined });
    if (contentType !== undefined) stream.end(body);
    return new Promise((resolve, reject) => {
      let status = 0;
      const parts: Buffer[] = [];
      stream.on('error', reject);
      stream.on('response', ({ ':status': code }) => {
        status = Number(code);
        // A watch has no end, and what is in a document does not matter.
        if (status >= 300 || !endless.test(path)) return;
        resolve({ verdict: String(status), body: '' });
        stream.close(constants.NGHTTP2_CANCEL);
      });
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('close', () => resolve(answerOf(status, Buffer.concat(parts))));
    });
  }

  #askAlone({ method, path }: Pick<Case, 'method' | 'path'>, type: Readonly<Record<string, string>>, body: string): Promise<Answer> {
    const { url, ca } = this.#target;
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const asked = request({ hostname, port, path, method, ca, headers: type, agent: false }, (response) => {
        const parts: Buffer[] = [];
        const finish = (): void => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(parts)));
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', finish);
        if ((response.statusCode ?? 0) < 300 && endless.test(path)) {
          finish();
          asked.destroy();
        }
      });
      asked.on('error', reject);
      asked.end('content-type' in type ? body : undefined);
    });
  }
}

const endless = /watch|openapi/;

function answerOf(status: number, bytes: Buffer): Answer {
  const body = bytes.toString();
  return { verdict: `${status}${status < 300 ? '' : shapeOf(body)}`, body };
}

function shapeOf(body: string): string {
  if (body === '') return '';
  if (!body.startsWith('{')) return 't';
  const { details } = JSON.parse(body) as { details?: { readonly kind?: string } };
  return details?.kind === undefined ? 's' : 'd';
}
