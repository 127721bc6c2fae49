import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';

/** An admission.k8s.io AdmissionReview as it was sent. */
export interface Review {
  readonly kind: string;
  readonly apiVersion: string;
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string };
}

/** How a webhook responds: with a response to the review, or with anything else. */
export type Behaviour = (review: Review) => Reply;

export type Reply =
  | { readonly response: object; readonly apiVersion?: string; readonly kind?: string }
  | { readonly raw: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | 'never'
  | 'hang up'
  | 'break off';

/** What a webhook was asked: its URL and the question. */
export interface Asked {
  readonly url: string;
  readonly review: Review;
  readonly headers: IncomingMessage['headers'];
}

const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };

/** Webhooks of all kinds of conduct, on one port: the path says which. */
export class WebhookServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  readonly #authority = createAuthority({ commonName: 'webhooks' }, validity);
  readonly #behaviours: ReadonlyMap<string, Behaviour>;
  readonly #server;

  constructor(behaviours: ReadonlyMap<string, Behaviour>) {
    this.#behaviours = behaviours;
    const names = ['127.0.0.1', 'localhost', 'hook.services.svc'];
    const { certificate, key } = issueCertificate(this.#authority, {
      subject: { commonName: 'webhook' },
      uses: ['server'],
      names,
      validity,
    });
    this.#server = createServer({ cert: certificate, key }, (request, response) => void this.#answer(request, response));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get caBundle(): string {
    return Buffer.from(this.#authority.certificate).toString('base64');
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** What has been asked since this was last looked at. */
  takeAsked(): Asked[] {
    return this.asked.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const review = JSON.parse(await text(request)) as Review;
    const url = request.url ?? '';
    this.asked.push({ url, review, headers: request.headers });
    const reply = this.#behaviours.get(url.split('?')[0] ?? '')?.(review) ?? { raw: 'no such webhook', status: 404 };
    if (reply === 'never') return;
    if (reply === 'hang up') return void request.socket.destroy();
    if (reply === 'break off') {
      response.writeHead(200, { 'content-length': '1000', 'content-type': 'application/json' }).write('{"kind":');
      return void setTimeout(() => request.socket.destroy(), 100);
    }
    if ('raw' in reply) return void response.writeHead(reply.status ?? 200, reply.headers).end(reply.raw);
    const { kind = review.kind, apiVersion = review.apiVersion } = reply;
    const body = { kind, apiVersion, response: { uid: review.request.uid, ...reply.response } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
