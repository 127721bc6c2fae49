import { request } from 'node:https';
import type { ApiServerProcess } from '../servers/api-server-process.ts';

export interface Answer<T> {
  readonly status: number;
  readonly object: T;
}

/** May do everything, and speaks JSON. */
export class Administrator {
  readonly #server: ApiServerProcess;

  constructor(server: ApiServerProcess) {
    this.#server = server;
  }

  /** Throws unless the response is a success. */
  async call<T>(method: string, path: string, body?: unknown, type = 'application/json'): Promise<T> {
    const { status, object } = await this.ask<T>(method, path, body, type);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(object)}`);
    return object;
  }

  /** Of a response that need not be JSON. */
  status(method: string, path: string, body?: unknown, type = 'application/json'): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const headers = { accept: '*/*', 'content-type': type };
    const asked = request(`${this.#server.url}${path}`, { ...this.#server.credentials, method, headers }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  ask<T>(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer<T>> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer<T>>();
    const headers = { accept: 'application/json', 'content-type': type };
    const asked = request(`${this.#server.url}${path}`, { ...this.#server.credentials, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, object: JSON.parse(Buffer.concat(chunks).toString()) as T }));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }
}
