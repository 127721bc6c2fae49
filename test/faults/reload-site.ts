import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import type { RequestOptions, Server } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { KeyPair } from '../../src/base/tls/certificate.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { admissionText, authenticationText, authorizationText, encryptionText, manifestText } from './reload-configurations.ts';
import { authorityOf, pairOf, replace } from './reload-files.ts';
import type { Answer } from './reload-load.ts';
import { Load, ask } from './reload-load.ts';
import { EtcdDoor, portOf, startBackend, tokenOf } from './reload-remotes.ts';

export class Site implements AsyncDisposable {
  readonly server: ApiServerProcess;
  readonly folder: string;
  readonly ca: KeyPair;
  readonly frontCa = authorityOf('front proxy');
  readonly door: EtcdDoor;
  /** of the backend */
  readonly own: KeyPair;
  readonly #backend: Server;
  readonly #etcd: EtcdProcess;
  /** connections of those who ask over one that they have */
  readonly #kept = new Agent({ keepAlive: true });

  private constructor(
    server: ApiServerProcess,
    folder: string,
    parts: { backend: Server; own: KeyPair; etcd: EtcdProcess; door: EtcdDoor },
  ) {
    this.server = server;
    this.folder = folder;
    this.own = parts.own;
    this.door = parts.door;
    this.#backend = parts.backend;
    this.#etcd = parts.etcd;
    const pki = join(server.files.authority, '..');
    this.ca = { certificate: readFileSync(join(pki, 'ca.crt'), 'utf8'), key: readFileSync(join(pki, 'ca.key'), 'utf8') };
  }

  static async open(folder: string, executable: string): Promise<Site> {
    mkdirSync(folder, { recursive: true });
    const etcd = await EtcdProcess.start();
    const flags: string[] = [];
    const own = authorityOf('authority of the backend');
    const door = new EtcdDoor(own, etcd.clientPort);
    const storage = { etcd: `https://127.0.0.1:${await door.listen()}` };
    const server = await ApiServerProcess.prepare({ executable, folder, storage, flags, without: ['authorization-mode'] });
    const site = new Site(server, folder, { backend: await startBackend(own), own, etcd, door });
    site.put('sni', pairOf(site.ca, 'sni', ['server']));
    site.put('proxy', pairOf(site.frontCa, 'front-proxy', ['client']));
    site.put('kubelet', pairOf(site.ca, 'kube-apiserver-kubelet-client', ['client'], ['system:masters']));
    site.put('etcd', pairOf(site.ca, 'kube-apiserver-etcd-client', ['client']));
    writeFileSync(site.path('front-ca.crt'), site.frontCa.certificate);
    writeFileSync(site.path('own-ca.crt'), own.certificate);
    mkdirSync(site.path('manifests'));
    writeFileSync(site.path('manifests/policy.yaml'), manifestText('refused'));
    writeFileSync(site.path('admission.yaml'), admissionText(site.path('manifests')));
    writeFileSync(site.path('authorization.yaml'), authorizationText());
    writeFileSync(site.path('authentication.yaml'), site.authentication('first:'));
    writeFileSync(site.path('encryption.yaml'), encryptionText('first'));
    flags.push(
      `--tls-sni-cert-key=${site.path('sni.crt')},${site.path('sni.key')}:sni.example.com`,
      `--requestheader-client-ca-file=${site.path('front-ca.crt')}`,
      '--requestheader-allowed-names=front-proxy',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      `--proxy-client-cert-file=${site.path('proxy.crt')}`,
      `--proxy-client-key-file=${site.path('proxy.key')}`,
      `--kubelet-client-certificate=${site.path('kubelet.crt')}`,
      `--kubelet-client-key=${site.path('kubelet.key')}`,
      '--kubelet-preferred-address-types=InternalIP',
      `--etcd-cafile=${site.path('own-ca.crt')}`,
      `--etcd-certfile=${site.path('etcd.crt')}`,
      `--etcd-keyfile=${site.path('etcd.key')}`,
      `--authorization-config=${site.path('authorization.yaml')}`,
      `--authentication-config=${site.path('authentication.yaml')}`,
      `--encryption-provider-config=${site.path('encryption.yaml')}`,
      '--encryption-provider-config-automatic-reload=true',
      `--admission-control-config-file=${site.path('admission.yaml')}`,
    );
    try {
      await server.start();
      await site.#furnish();
    } catch (error) {
      await site[Symbol.asyncDispose]();
      throw error;
    }
    return site;
  }

  /** The configuration of authentication in which users of the issuer have this prefix. */
  authentication(prefix: string): string {
    return authenticationText(`https://127.0.0.1:${portOf(this.#backend)}`, this.own.certificate, prefix);
  }

  /** How a server calls the user of a token; a refusal throws. */
  async nameOf(user: string): Promise<string> {
    const headers = { authorization: `Bearer ${tokenOf(this.#backend, user)}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { body: said } = await this.get(path, { method: 'POST', headers, cert: undefined, key: undefined }, body);
    return (JSON.parse(said) as { status: { userInfo: { username: string } } }).status.userInfo.username;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  put(name: string, { certificate, key }: KeyPair): void {
    replace(this.path(`${name}.key`), key);
    replace(this.path(`${name}.crt`), certificate);
  }

  /** A request over a connection that is kept for others with the same options. */
  get(path: string, options: RequestOptions = {}, body?: string): Promise<Answer> {
    const { cert, key } = this.server.credentials;
    return ask(`${this.server.url}${path}`, { ca: this.ca.certificate, cert, key, agent: this.#kept, ...options }, body);
  }

  /** Fingerprint of the certificate that a new connection is shown. */
  async shown(servername?: string): Promise<string> {
    const socket = connectTls({
      host: '127.0.0.1',
      port: this.server.port,
      ca: this.ca.certificate,
      ...(servername !== undefined && { servername }),
    });
    try {
      await once(socket, 'secureConnect');
      return socket.getPeerCertificate().fingerprint256;
    } finally {
      socket.destroy();
    }
  }

  /** What etcd has under a key after the object was written again. */
  async stored(key: string): Promise<string> {
    const secret = { metadata: { name: 'reload', annotations: { at: String(Date.now()) } } };
    const path = '/api/v1/namespaces/default/secrets';
    const { status } = await this.server.request('PATCH', `${path}/reload`, secret);
    if (status === 404) await this.server.post(path, secret);
    const body = JSON.stringify({ key: Buffer.from(key).toString('base64') });
    const response = await fetch(`${this.#etcd.endpoint}/v3/kv/range`, { method: 'POST', body });
    const { kvs = [] } = (await response.json()) as { kvs?: readonly { value: string }[] };
    return Buffer.from(kvs[0]?.value ?? '', 'base64').toString('latin1', 0, 100);
  }

  /** Asks in all ways without a break. */
  load(): Load {
    const { cert, key } = this.server.credentials;
    return new Load({ url: this.server.url, ca: this.ca.certificate, cert: String(cert), key: String(key) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kept.destroy();
    await this.server[Symbol.asyncDispose]();
    this.#backend.close();
    this.door[Symbol.dispose]();
    await this.#etcd[Symbol.asyncDispose]();
  }

  async #furnish(): Promise<void> {
    const port = portOf(this.#backend);
    const { server, own } = this;
    await server.post('/api/v1/namespaces/default/services', {
      metadata: { name: 'backend' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    await server
      .post('/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: { name: 'v1.reload.example.com' },
        spec: {
          group: 'reload.example.com',
          version: 'v1',
          groupPriorityMinimum: 1000,
          versionPriority: 10,
          service: { namespace: 'default', name: 'backend', port },
          caBundle: Buffer.from(own.certificate).toString('base64'),
          insecureSkipTLSVerify: false,
        },
      })
      .catch(async () => undefined);
    await server.post('/api/v1/nodes', { metadata: { name: 'reload' } });
    const status = { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }], daemonEndpoints: { kubeletEndpoint: { Port: port } } };
    const patched = await server.request('PATCH', '/api/v1/nodes/reload/status', { status });
    if (patched.status !== 200) throw new Error(patched.body);
    // Nodes on loopback are not reached by /proxy; logs of their pods are.
    await server.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    await server.post('/api/v1/namespaces/default/pods', {
      metadata: { name: 'reload' },
      spec: { nodeName: 'reload', automountServiceAccountToken: false, containers: [{ name: 'main', image: 'example.com/main:1' }] },
    });
    for (const deadline = Date.now() + 20_000; ; await sleep(200)) {
      const { status: aggregated, body } = await this.get('/apis/reload.example.com/v1');
      if (aggregated === 200) return;
      if (Date.now() < deadline) continue;
      const known = await server.request('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1.reload.example.com');
      throw new Error(`the aggregated server is not reached: ${aggregated} ${body} ${known.body}`);
    }
  }
}
