import { after, before } from 'node:test';
import type { ApiServerOptions, RunningApiServer } from '../../src/index.ts';
import { startApiServer } from '../../src/index.ts';
import type { MemoryStorage } from '../../src/storage/drivers/memory/memory-storage.ts';
import { createMemoryStorage } from '../../src/storage/drivers/memory/memory-storage.ts';
import { RawClient } from './raw-client.ts';

export interface AdmissionOptions extends Omit<ApiServerOptions, 'admission' | 'controllers' | 'storage'> {
  /** the plugins that run, and no others */
  readonly plugins: readonly string[];
  /** of plugins, by name, as in the file of --admission-control-config-file */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly tolerationSeconds?: { readonly notReady: number; readonly unreachable: number };
  /** starts with what this one has stored: for objects that the plugins would have refused */
  readonly after?: AdmissionServer;
  /** made before the first test, in this order: a path and what is posted there */
  readonly objects?: readonly (readonly [path: string, object: object])[];
}

/** As much of an object as tests of admission look at. */
export interface AdmittedObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
}

export interface Admitted<T> {
  readonly status: number;
  /** of a refusal */
  readonly message: string | undefined;
  /** what the server returned: the object, or the Status of a refusal */
  readonly object: T;
  readonly warnings: readonly string[];
}

export interface Asking {
  /** default: the admin */
  readonly as?: string;
}

interface Running {
  readonly storage: MemoryStorage;
  readonly server: RunningApiServer;
  readonly client: RawClient;
}

/** A real server, without controllers, on which the named plugins run and no others. */
export class AdmissionServer implements AsyncDisposable {
  readonly #options: AdmissionOptions;
  #running: Running | undefined;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  async start(): Promise<this> {
    const { plugins, configuration, tolerationSeconds, after: earlier, objects = [], ...rest } = this.#options;
    const admission = {
      plugins,
      ...(tolerationSeconds && { tolerationSeconds }),
      ...(configuration && { configuration: admissionConfiguration(configuration) }),
    };
    const storage =
      earlier === undefined ? createMemoryStorage(rest.clock === undefined ? {} : { clock: rest.clock }) : earlier.#started.storage.fork();
    const server = await startApiServer({ ...rest, admission, controllers: false, storage });
    this.#running = { storage, server, client: new RawClient(server) };
    for (const [path, object] of objects) await this.given(path, object);
    return this;
  }

  async send<T = AdmittedObject>(
    method: string,
    path: string,
    body?: object,
    { as, ...headers }: Asking & { readonly 'content-type'?: string } = {},
  ): Promise<Admitted<T>> {
    const answer = await this.#started.client.call(method, path, { body, headers: { ...headers, ...(as && { 'impersonate-user': as }) } });
    const object = JSON.parse(answer.text) as T & { message?: string };
    const warnings = [...(answer.headers['warning'] ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text as string);
    const message = answer.status < 300 ? undefined : object.message;
    return { status: answer.status, message, object, warnings };
  }

  create<T = AdmittedObject>(path: string, object: object, asking?: Asking): Promise<Admitted<T>> {
    return this.send('POST', path, object, asking);
  }

  /** Admitted as any other, but not stored: cases of a table do not meet. */
  tryCreate<T = AdmittedObject>(path: string, object: object, asking?: Asking): Promise<Admitted<T>> {
    return this.create(`${path}?dryRun=All`, object, asking);
  }

  update<T = AdmittedObject>(path: string, object: object, asking?: Asking): Promise<Admitted<T>> {
    return this.send('PUT', path, object, asking);
  }

  /** A merge patch. */
  patch<T = AdmittedObject>(path: string, changes: object, asking?: Asking): Promise<Admitted<T>> {
    return this.send('PATCH', path, changes, { ...asking, 'content-type': 'application/merge-patch+json' });
  }

  remove<T = AdmittedObject>(path: string, asking?: Asking): Promise<Admitted<T>> {
    return this.send('DELETE', path, undefined, asking);
  }

  async read<T = AdmittedObject>(path: string): Promise<T> {
    const { status, message, object } = await this.send<T>('GET', path);
    if (status !== 200) throw new Error(`${path}: ${message}`);
    return object;
  }

  /** Creates what a test starts from. */
  async given<T = AdmittedObject>(path: string, object: object): Promise<T> {
    const { status, message, object: created } = await this.create<T>(path, object);
    if (status !== 201) throw new Error(`${path}: ${message}`);
    return created;
  }

  /** Lets a user do what the rules of a ClusterRole say; the server authorizes by RBAC. */
  async allow(user: string, rules: readonly object[]): Promise<void> {
    const group = '/apis/rbac.authorization.k8s.io/v1';
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user };
    await this.given(`${group}/clusterroles`, { metadata: { name: user }, rules });
    await this.given(`${group}/clusterrolebindings`, {
      metadata: { name: user },
      roleRef,
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    });
  }

  get #started(): Running {
    if (this.#running === undefined) throw new Error('the server runs inside tests');
    return this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, server, storage } = this.#started;
    await client[Symbol.asyncDispose]();
    await server.stop();
    await storage[Symbol.asyncDispose]();
  }
}

/** One server for the tests of the suite that calls this. */
export function admissionServer(options: AdmissionOptions): AdmissionServer {
  const server = new AdmissionServer(options);
  before(() => server.start());
  after(() => server[Symbol.asyncDispose]());
  return server;
}

export function admissionConfiguration(plugins: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: Object.entries(plugins).map(([name, configuration]) => ({ name, configuration })),
  });
}
