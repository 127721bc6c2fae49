import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareDevFiles } from '../../src/cli/dev-files.ts';
import type { DevFiles } from '../../src/cli/dev-files.ts';
import { accepts, freePort } from '../etcd/etcd-process.ts';

export interface ApiServerOptions {
  readonly executable: string;
  /** for certificates, log and, with `storage: 'embedded'`, data; kept when the process ends */
  readonly folder: string;
  readonly storage: { readonly etcd: string } | 'embedded';
  readonly flags?: readonly string[];
  /** of the flags that every server has, those to leave out */
  readonly without?: readonly string[];
  /** of another server: the same certificates, and tokens that both accept */
  readonly files?: DevFiles;
  readonly environment?: NodeJS.ProcessEnv;
}

/** What a client needs to be an administrator. */
export interface Credentials {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

const startLimitMs = 90_000;

/** One API server, ours or upstream, as a child process with the same flags. Ends with its owner. */
export class ApiServerProcess implements AsyncDisposable {
  readonly port: number;
  readonly files: DevFiles;
  readonly credentials: Credentials;
  readonly log: string;
  readonly #options: ApiServerOptions;
  readonly #agent = new Agent({ keepAlive: true });
  #child: ChildProcess | undefined;

  private constructor(options: ApiServerOptions, port: number) {
    this.#options = options;
    this.port = port;
    mkdirSync(options.folder, { recursive: true });
    this.files = options.files ?? prepareDevFiles(options.folder, ['127.0.0.1']);
    if (options.files === undefined) this.files.writeKubeconfig(`https://127.0.0.1:${port}`);
    const pki = join(this.files.authority, '..');
    this.credentials = {
      ca: readFileSync(this.files.authority),
      cert: readFileSync(join(pki, 'admin.crt')),
      key: readFileSync(join(pki, 'admin.key')),
    };
    this.log = join(options.folder, 'kube-apiserver.log');
  }

  static async start(options: ApiServerOptions): Promise<ApiServerProcess> {
    const server = await ApiServerProcess.prepare(options);
    await server.start();
    return server;
  }

  /** Certificates and port, and no process yet. */
  static async prepare(options: ApiServerOptions): Promise<ApiServerProcess> {
    return new ApiServerProcess(options, await freePort());
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the server does not run');
    return this.#child.pid;
  }

  /** Also after `stop`, with the same data and address. Returns the milliseconds from exec to a ready server. */
  async start(until: 'ready' | 'listening' = 'ready'): Promise<number> {
    const log = openSync(this.log, 'a');
    const started = performance.now();
    const child = spawn(this.#options.executable, this.#flags(), {
      stdio: ['ignore', log, log],
      env: { ...process.env, ...this.#options.environment },
      cwd: this.#options.folder,
    });
    closeSync(log);
    this.#child = child;
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    await once(child, 'spawn');
    while (!(await (until === 'ready' ? this.#isReady() : accepts(this.port)))) {
      if (this.#child !== child) throw new Error(`${this.#options.executable} ended at start; see ${this.log}\n${this.#logTail()}`);
      if (performance.now() - started > startLimitMs) throw new Error(`${this.url} does not get ready\n${this.#logTail()}`);
      await sleep(until === 'ready' ? 5 : 1);
    }
    return performance.now() - started;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const impatient = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await exited;
    clearTimeout(impatient);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    await this.stop('SIGKILL');
  }

  /** One request as administrator. `body` is sent as JSON; the response is returned as it came. */
  request(
    method: string,
    path: string,
    body?: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: string }> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = {
      accept: 'application/json',
      ...more,
      // Node would send the body of a DELETE without saying how long it is.
      ...(text !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(`${this.url}${path}`, { ...this.credentials, method, headers, agent: this.#agent }, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (part: string) => (answer += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: answer }));
      });
      asked.on('error', reject);
      asked.end(text);
    });
  }

  /** Creates an object; throws unless it was created. */
  async post(path: string, object: unknown, headers?: Readonly<Record<string, string>>): Promise<unknown> {
    const { status, body } = await this.request('POST', path, object, headers);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${body}`);
    return JSON.parse(body);
  }

  #flags(): string[] {
    const { storage, folder, flags = [], without = [] } = this.#options;
    const { authority, serving, tokenKeys } = this.files;
    const common = [
      storage === 'embedded' ? `--data-dir=${join(folder, 'data')}` : `--etcd-servers=${storage.etcd}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${this.port}`,
      '--allow-privileged=true',
      '--authorization-mode=Node,RBAC',
      `--client-ca-file=${authority}`,
      `--tls-cert-file=${serving.certificate}`,
      `--tls-private-key-file=${serving.key}`,
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${tokenKeys.public}`,
      `--service-account-signing-key-file=${tokenKeys.private}`,
      '--service-cluster-ip-range=10.96.0.0/12',
    ];
    return [...common.filter((flag) => !without.some((name) => flag.startsWith(`--${name}=`))), ...flags];
  }

  #isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const asked = request(`${this.url}/readyz`, { ...this.credentials, agent: false, timeout: 5000 }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      asked.on('timeout', () => asked.destroy());
      // The port is not open yet.
      asked.on('error', () => resolve(false));
      asked.end();
    });
  }

  #logTail(): string {
    return readFileSync(this.log, 'utf8').slice(-3000);
  }
}
