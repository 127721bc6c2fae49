/** A server with all that may be worn: an audit log and webhook of whole bodies, encryption at rest, a store on disk and embedded controllers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApiServer } from '../../../src/index.ts';
import { startApiServer } from '../../../src/index.ts';

const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'RequestResponse' }] };
const encryption = (secret: string): object => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'EncryptionConfiguration',
  resources: [
    { resources: ['secrets', '*.hunt.example.com'], providers: [{ secretbox: { keys: [{ name: 'a', secret }] } }] },
    { resources: ['*.*'], providers: [{ aesgcm: { keys: [{ name: 'a', secret }] } }] },
  ],
});

export async function startDressedServer(): Promise<RunningApiServer> {
  const directory = await mkdtemp(join(tmpdir(), 'hunt-'));
  process.on('exit', () => void rm(directory, { recursive: true, force: true }));
  const sink = createServer((request, response) => void request.resume().on('end', () => response.end())).listen(0, '127.0.0.1');
  await new Promise((resolve) => sink.once('listening', resolve));
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'a', cluster: { server: `http://127.0.0.1:${(sink.address() as AddressInfo).port}` } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: '' } }],
    'current-context': 'a',
  };
  const file = async (name: string, content: object): Promise<string> => {
    await writeFile(join(directory, name), JSON.stringify(content));
    return join(directory, name);
  };
  return startApiServer({
    controllers: true,
    storage: {
      backend: { directory: join(directory, 'store') },
      encryption: { file: await file('encryption.json', encryption(Buffer.alloc(32, 'k').toString('base64'))), reload: false },
    },
    auditing: {
      policyFile: await file('policy.json', policy),
      log: { path: join(directory, 'audit.log'), maxBackups: 2 },
      webhook: { kubeconfig: await file('webhook.json', kubeconfig) },
    },
    features: { CBORServingAndStorage: true },
  });
}
