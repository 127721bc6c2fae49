/**
 * `npm run test:aggregation [-- --executable FILE] [-- --show LINES]`: the sample-apiserver of Kubernetes behind ours and behind
 * upstream. kubectl and plain requests must get the same from both: while it serves, when it is killed, and after its return.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import type { ApiServerOptions } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { SampleApiServer } from '../servers/sample-api-server.ts';
import { normalise } from './normalise.ts';
import { Player } from './player.ts';
import type { Event, Question } from './scenarios/aggregation.ts';
import { phases } from './scenarios/aggregation.ts';
import type { Step } from './step.ts';
import { textDiff } from './text-diff.ts';

const { values } = parseArgs({ options: { executable: { type: 'string' }, show: { type: 'string', default: '12' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-aggregation-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));

/** Endpoints cannot be on loopback. */
const address = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
if (address === undefined) throw new Error('this machine has no address but loopback, where endpoints cannot be');

const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
const authority = createAuthority({ commonName: 'wardle' }, validity);
const frontProxyAuthority = createAuthority({ commonName: 'front-proxy' }, validity);
const frontProxy = issueCertificate(frontProxyAuthority, { subject: { commonName: 'front-proxy-client' }, uses: ['client'], validity });
const file = (name: string, content: string): string => {
  writeFileSync(join(root, name), content);
  return join(root, name);
};
const flags = [
  '--enable-aggregator-routing=true',
  `--proxy-client-cert-file=${file('front-proxy.crt', frontProxy.certificate)}`,
  `--proxy-client-key-file=${file('front-proxy.key', frontProxy.key)}`,
  `--requestheader-client-ca-file=${file('front-proxy-ca.crt', frontProxyAuthority.certificate)}`,
  '--requestheader-allowed-names=front-proxy-client',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-username-headers=X-Remote-User',
];
const serving = issueCertificate(authority, {
  subject: { commonName: 'sample-apiserver' },
  uses: ['server'],
  names: ['api.wardle.svc'],
  validity,
});

const versions = { v1alpha1: 20, v1beta1: 15 };
const services = '/api/v1/namespaces/wardle/services';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'api' }, spec: { ports: [{ port: 443, name: 'https' }] } };

/** of one moment or one connection; and priority and fairness, which ours does not have */
const changing =
  /^(date|last-modified|expires|etag|audit-id|content-length|transfer-encoding|connection|keep-alive|x-kubernetes-pf-[a-z-]+):/;

/** An API server with the sample behind it. */
class Side {
  readonly server: ApiServerProcess;
  readonly sample: SampleApiServer;
  readonly #player: Player;

  constructor(server: ApiServerProcess, sample: SampleApiServer, home: string) {
    this.server = server;
    this.sample = sample;
    this.#player = new Player(findReference('kubectl'), server.files.kubeconfig, home, join(import.meta.dirname, 'manifests'));
  }

  static async start(options: ApiServerOptions, etcd: string): Promise<Side> {
    const server = owned.use(await ApiServerProcess.start({ ...options, flags }));
    const folder = `${options.folder}-sample`;
    const { kubeconfig } = server.files;
    const sample = owned.use(await SampleApiServer.start({ folder, etcd, kubeconfig, serving, address: address as string }));
    return new Side(server, sample, `${options.folder}-home`);
  }

  async play(step: Step): Promise<string> {
    const { code, out, err } = await this.#player.play(step);
    return this.#shown(`exit ${code}\n${out}${err === '' ? '' : `stderr: ${err}`}`);
  }

  async ask({ path, headers = {}, part }: Question): Promise<string> {
    const { status, headers: answered, body } = await this.#get(path, headers);
    const document = part === undefined || status !== 200 ? body : JSON.stringify(part(JSON.parse(body) as never), undefined, 1);
    return this.#shown(
      `${status}\n${answered.join('\n')}\n${document.startsWith('{') ? JSON.stringify(JSON.parse(document), undefined, 1) : document}`,
    );
  }

  async happen(event: Event): Promise<void> {
    await this.#events[event]();
  }

  readonly #events: Readonly<Record<Event, () => Promise<void>>> = {
    registered: () => this.#register(),
    killed: () => this.sample.stop(),
    started: () => this.sample.start(),
    'service gone': async () => void (await this.server.request('DELETE', `${services}/api`)),
    'service back': async () => void (await this.server.post(services, service)),
    'certificate of others': async () => {
      const caBundle = Buffer.from(frontProxyAuthority.certificate).toString('base64');
      for (const version of Object.keys(versions))
        await this.server.request('PATCH', `${apiServices}/${version}.wardle.example.com`, { spec: { caBundle } });
    },
    unregistered: async () => {
      for (const version of Object.keys(versions)) await this.server.request('DELETE', `${apiServices}/${version}.wardle.example.com`);
      // Until upstream has noticed.
      await sleep(2000);
    },
  };

  async #register(): Promise<void> {
    const { server } = this;
    await server.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'wardle' } });
    await server.post(services, service);
    await server.post('/apis/discovery.k8s.io/v1/namespaces/wardle/endpointslices', {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'api', labels: { 'kubernetes.io/service-name': 'api' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: 'https', port: this.sample.port }],
    });
    for (const [version, versionPriority] of Object.entries(versions)) {
      await server.post(apiServices, {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `${version}.wardle.example.com` },
        spec: {
          group: 'wardle.example.com',
          version,
          service: { namespace: 'wardle', name: 'api' },
          caBundle: Buffer.from(authority.certificate).toString('base64'),
          groupPriorityMinimum: 2000,
          versionPriority,
        },
      });
    }
  }

  #get(path: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; headers: string[]; body: string }> {
    return new Promise((resolve, reject) => {
      request(`${this.server.url}${path}`, { ...this.server.credentials, agent: false, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: comparable(response.rawHeaders), body }));
      })
        .on('error', reject)
        .end();
    });
  }

  /** Each side's sample has a port of its own. */
  #shown(text: string): string {
    return normalise(text.replaceAll(`${address}:${this.sample.port}`, 'SAMPLE'));
  }
}

/** Headers that can be the same, sorted; their names are as the protocol wants them. */
function comparable(raw: readonly string[]): string[] {
  const lines = raw.flatMap((name, index) => (index % 2 === 0 ? [`${name.toLowerCase()}: ${raw[index + 1]}`] : []));
  return lines.filter((line) => !changing.test(line)).toSorted();
}

const etcd = owned.use(await EtcdProcess.start());
const ours = await Side.start(
  { executable: values.executable ?? installOurs(join(root, 'package')), storage: 'embedded', folder: join(root, 'ours') },
  etcd.endpoint,
);
const reference = await Side.start(
  { executable: findReference('kube-apiserver'), storage: { etcd: etcd.endpoint }, folder: join(root, 'reference') },
  etcd.endpoint,
);

let [compared, different] = [0, 0];
for (const { event, settled, steps } of phases) {
  await Promise.all([ours, reference].map((side) => side.happen(event)));
  for (const step of settled) await Promise.all([ours, reference].map((side) => side.play(step)));
  let differentHere = 0;
  for (const one of steps) {
    const look = (side: Side): Promise<string> => ('path' in one ? side.ask(one) : side.play(one));
    const [expected, actual] = (await Promise.all([look(reference), look(ours)])) as [string, string];
    compared++;
    if (expected === actual) continue;
    differentHere++;
    const lines = textDiff(expected, actual).split('\n');
    console.log(`✖ ${event}: ${'path' in one ? `GET ${one.path}` : `kubectl ${one.args.join(' ')}`}`);
    console.log(lines.slice(0, Number(values.show)).join('\n'));
    if (lines.length > Number(values.show)) console.log(`  ... ${lines.length - Number(values.show)} lines more`);
  }
  different += differentHere;
  console.log(`${differentHere === 0 ? '✔' : '✖'} ${event}: ${steps.length - differentHere} of ${steps.length} the same`);
}
console.log(`\n${compared - different} of ${compared} the same`);
process.exitCode = different > 0 ? 1 : 0;
