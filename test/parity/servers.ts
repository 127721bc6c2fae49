import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevFiles } from '../../src/cli/dev-files.ts';
import { prepareDevFiles } from '../../src/cli/dev-files.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { Target } from '../support/kubeconfig.ts';

/** Beside those that every server of a test gets: what cases were recorded with. */
const flags = [
  '--enable-admission-plugins=NodeRestriction',
  '--enable-bootstrap-token-auth=true',
  '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
];

/** A server that plays are given to. It ends with its owner. */
export interface PlayedServer extends AsyncDisposable {
  readonly target: Target;
}

const played = (server: ApiServerProcess, stack: AsyncDisposableStack): PlayedServer => ({
  target: { url: server.url, ...server.credentials },
  [Symbol.asyncDispose]: () => stack.disposeAsync(),
});

/** The server's own pair will do: no server stands behind this one, but its health names the file that is followed. */
const filesOf = ({ serving }: DevFiles): string[] => [
  `--proxy-client-cert-file=${serving.certificate}`,
  `--proxy-client-key-file=${serving.key}`,
];

/** Tokens are signed with RSA, as they were when the cases were recorded: the OpenID document says so. */
function filesIn(folder: string): DevFiles {
  const files = prepareDevFiles(folder, ['127.0.0.1']);
  const tokenKeys = { public: join(folder, 'rsa.pub'), private: join(folder, 'rsa.key') };
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(tokenKeys.public, publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(tokenKeys.private, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return { ...files, tokenKeys };
}

export async function startOurs(folder: string, more: readonly string[] = []): Promise<PlayedServer> {
  await using stack = new AsyncDisposableStack();
  const executable = installOurs(join(folder, 'package'));
  const own = join(folder, 'ours');
  const files = filesIn(own);
  const all = [...flags, ...filesOf(files), ...more];
  const server = stack.use(await ApiServerProcess.start({ executable, folder: own, storage: 'embedded', flags: all, files }));
  return played(server, stack.move());
}

/** `binary`: an executable in place of etcd's. */
export async function startReference(folder: string, more: readonly string[] = [], binary?: string): Promise<PlayedServer> {
  await using stack = new AsyncDisposableStack();
  const executable = findReference('kube-apiserver');
  const etcd = stack.use(await EtcdProcess.start({ ...(binary !== undefined && { binary }) }));
  const storage = { etcd: etcd.endpoint };
  const own = join(folder, 'reference');
  const files = filesIn(own);
  const server = stack.use(
    await ApiServerProcess.start({ executable, folder: own, storage, flags: [...flags, ...filesOf(files), ...more], files }),
  );
  return played(server, stack.move());
}
