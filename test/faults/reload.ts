/**
 * `npm run test:reload [-- --only PATTERN]`: each file of certificates that API servers follow is first half-written and then replaced, while clients ask
 * over old and new connections. What was in use stays in use until the new one is, no request fails. Prints how long ours and upstream took.
 * Needs the programs of Kubernetes (see README.md).
 */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:https';
import type { RequestOptions, Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { parseArgs } from 'node:util';
import type { CertificateUse, KeyPair } from '../../src/base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-reload-'));
const day = 24 * 3600 * 1000;
const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
const limitMs = 90_000;
const badMs = 3000;

const authorityOf = (commonName: string): KeyPair => createAuthority({ commonName }, validity);
const pairOf = (authority: KeyPair, commonName: string, uses: CertificateUse[], organizations: string[] = []): KeyPair =>
  issueCertificate(authority, {
    subject: { commonName, organizations },
    uses,
    names: ['127.0.0.1', 'localhost', 'sni.example.com', 'backend.default.svc'],
    validity,
  });
const fingerprint = (pem: string): string => new X509Certificate(pem).fingerprint256;

/** As an administrator does it who knows what he does. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** of the certificate that the server showed */
  readonly shown: string;
}

function ask(url: string, options: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { timeout: 10_000, ...options }, (response) => {
      const shown = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, body, shown }));
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', reject);
    asked.end();
  });
}

/** An aggregated server and a kubelet at once: says who asks. */
async function backend(authority: KeyPair): Promise<Server> {
  const pair = pairOf(authority, 'backend', ['server']);
  const options = { cert: pair.certificate, key: pair.key, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (incoming, response) => {
    const { fingerprint256 } = (incoming.socket as TLSSocket).getPeerCertificate();
    response.setHeader('content-type', 'application/json');
    const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'reload.example.com/v1', resources: [] };
    response.end(JSON.stringify({ ...list, client: fingerprint256 }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

class Site implements AsyncDisposable {
  readonly server: ApiServerProcess;
  readonly folder: string;
  readonly ca: KeyPair;
  readonly frontCa = authorityOf('front proxy');
  readonly #backend: Server;
  readonly #etcd: EtcdProcess;
  readonly failures: string[] = [];
  asked = 0;

  private constructor(server: ApiServerProcess, folder: string, backendServer: Server, etcd: EtcdProcess) {
    this.server = server;
    this.folder = folder;
    this.#backend = backendServer;
    this.#etcd = etcd;
    const pki = join(server.files.authority, '..');
    this.ca = { certificate: readFileSync(join(pki, 'ca.crt'), 'utf8'), key: readFileSync(join(pki, 'ca.key'), 'utf8') };
  }

  static async open(name: string, executable: string): Promise<Site> {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    const etcd = await EtcdProcess.start();
    const flags: string[] = [];
    const server = await ApiServerProcess.prepare({ executable, folder, storage: { etcd: etcd.endpoint }, flags });
    const own = authorityOf('authority of the backend');
    const site = new Site(server, folder, await backend(own), etcd);
    site.put('sni', pairOf(site.ca, 'sni', ['server']));
    site.put('proxy', pairOf(site.frontCa, 'front-proxy', ['client']));
    site.put('kubelet', pairOf(site.ca, 'kube-apiserver-kubelet-client', ['client'], ['system:masters']));
    writeFileSync(site.path('front-ca.crt'), site.frontCa.certificate);
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
    );
    try {
      await server.start();
      await site.#furnish(own);
    } catch (error) {
      await site[Symbol.asyncDispose]();
      throw error;
    }
    return site;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  put(name: string, { certificate, key }: KeyPair): void {
    replace(this.path(`${name}.key`), key);
    replace(this.path(`${name}.crt`), certificate);
  }

  /** A request over a connection of its own, unless an agent is given. */
  get(path: string, options: RequestOptions = {}): Promise<Answer> {
    const { cert, key } = this.server.credentials;
    return ask(`${this.server.url}${path}`, { ca: this.ca.certificate, cert, key, agent: false, ...options });
  }

  /** Asks in all ways without a break; what fails is kept. */
  async load(signal: AbortSignal): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    const ways: readonly (() => Promise<Answer>)[] = [
      () => this.get('/api/v1/namespaces/default', { agent }),
      () => this.get('/api/v1/namespaces/default'),
      () => this.get('/version', { servername: 'sni.example.com' }),
      () => this.get('/apis/reload.example.com/v1'),
      () => this.get('/api/v1/namespaces/default/pods/reload/log'),
    ];
    await Promise.all(
      ways.map(async (way, index) => {
        while (!signal.aborted) {
          this.asked++;
          try {
            const { status, body } = await way();
            if (status !== 200) this.failures.push(`way ${index}: ${status} ${body.slice(0, 200)}`);
          } catch (error) {
            this.failures.push(`way ${index}: ${(error as Error).message}`);
          }
          await sleep(20);
        }
      }),
    );
    agent.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.#backend.close();
    await this.#etcd[Symbol.asyncDispose]();
  }

  async #furnish(own: KeyPair): Promise<void> {
    const { port } = this.#backend.address() as AddressInfo;
    const { server } = this;
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

interface Case {
  readonly name: string;
  /** files that are half-written first, one after the other */
  readonly files: (site: Site) => readonly string[];
  /** Puts the new ones in place; returns how to find out that they are in use. */
  readonly renew: (site: Site) => () => Promise<boolean>;
}

const pairCase = (name: string, file: string, make: (site: Site) => KeyPair, seen: (site: Site) => Promise<string>): Case => ({
  name,
  files: (site) => [site.path(`${file}.crt`), site.path(`${file}.key`)],
  renew: (site) => {
    const pair = make(site);
    site.put(file, pair);
    return async () => (await seen(site)) === fingerprint(pair.certificate);
  },
});
const clientOf = ({ body }: Answer): string => (JSON.parse(body) as { client: string }).client;

const cases: readonly Case[] = [
  {
    name: 'serving pair',
    files: ({ server: { files } }) => [files.serving.certificate, files.serving.key],
    renew: (site) => {
      const pair = pairOf(site.ca, 'kube-apiserver', ['server']);
      replace(site.server.files.serving.key, pair.key);
      replace(site.server.files.serving.certificate, pair.certificate);
      return async () => (await site.get('/version')).shown === fingerprint(pair.certificate);
    },
  },
  pairCase(
    'SNI pair',
    'sni',
    (site) => pairOf(site.ca, 'sni', ['server']),
    async (site) => (await site.get('/version', { servername: 'sni.example.com' })).shown,
  ),
  {
    name: 'client CA',
    files: ({ server: { files } }) => [files.authority],
    renew: (site) => {
      const next = authorityOf('next');
      const { certificate, key } = pairOf(next, 'newcomer', ['client'], ['system:masters']);
      replace(site.server.files.authority, site.ca.certificate + next.certificate);
      return async () => (await site.get('/api/v1/namespaces/default', { cert: certificate, key })).status === 200;
    },
  },
  {
    name: 'front-proxy CA',
    files: (site) => [site.path('front-ca.crt')],
    renew: (site) => {
      const next = authorityOf('next front proxy');
      const { certificate, key } = pairOf(next, 'front-proxy', ['client']);
      replace(site.path('front-ca.crt'), site.frontCa.certificate + next.certificate);
      const headers = { 'x-remote-user': 'somebody', 'x-remote-group': 'system:masters' };
      return async () => (await site.get('/api/v1/namespaces/default', { cert: certificate, key, headers })).status === 200;
    },
  },
  pairCase(
    'proxy client',
    'proxy',
    (site) => pairOf(site.frontCa, 'front-proxy', ['client']),
    async (site) => clientOf(await site.get('/apis/reload.example.com/v1')),
  ),
  pairCase(
    'kubelet client',
    'kubelet',
    (site) => pairOf(site.ca, 'kube-apiserver-kubelet-client', ['client'], ['system:masters']),
    async (site) => clientOf(await site.get('/api/v1/namespaces/default/pods/reload/log')),
  ),
];

interface Result {
  readonly text: string;
  readonly ok: boolean;
}

async function play(site: Site, { files, renew }: Case): Promise<Result> {
  const stopping = new AbortController();
  site.failures.length = 0;
  site.asked = 0;
  const loading = site.load(stopping.signal);
  await sleep(300);
  for (const file of files(site)) {
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.slice(0, good.length / 2));
    await sleep(badMs);
    writeFileSync(file, good);
  }
  await sleep(500);
  const inUse = renew(site);
  const started = performance.now();
  let took: number | undefined;
  while (took === undefined && performance.now() - started < limitMs) {
    // A refusal: the new one is not in use yet.
    if (await inUse().catch(() => false)) took = performance.now() - started;
    else await sleep(20);
  }
  await sleep(300);
  stopping.abort();
  await loading;
  const { failures, asked } = site;
  const time = took === undefined ? 'never' : `${(took / 1000).toFixed(2)} s`;
  return {
    ok: took !== undefined && failures.length === 0,
    text: `${time}, ${failures.length} of ${asked} failed${failures.length > 0 ? ` (${failures[0]})` : ''}`,
  };
}

let failed = 0;
try {
  const executable = installOurs(join(root, 'package'));
  await using ours = await Site.open('ours', executable);
  await using upstream = await Site.open('upstream', findReference('kube-apiserver'));
  for (const one of cases) {
    if (!new RegExp(values.only).test(one.name)) continue;
    const mine = await play(ours, one);
    const theirs = await play(upstream, one);
    if (!mine.ok) failed++;
    console.log(`${mine.ok ? '✔' : '✖'} ${one.name}: ours ${mine.text}; upstream ${theirs.text}`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
