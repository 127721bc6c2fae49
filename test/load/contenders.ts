import { readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { pods } from '../bench/subjects/pods.ts';
import type { CrowdPlan, CrowdTask } from './crowd-plan.ts';

export type ContenderName = 'ours' | 'reference';

/** Who asks; a token is the name of its user. */
const users: Readonly<Record<string, readonly string[]>> = {
  elephant: [],
  mouse: [],
  'flow-1': [],
  'flow-2': [],
  'flow-3': [],
  'flow-4': [],
  worker: [],
  master: ['system:masters'],
};

export const namespace = 'load';
export const podsPath = `/api/v1/namespaces/${namespace}/pods`;
const parallelCreates = 16;

/** One of the servers, with users that may do everything and are not exempt from anything, but for master. */
export class Contender {
  readonly name: ContenderName;
  readonly server: ApiServerProcess;

  constructor(name: ContenderName, server: ApiServerProcess) {
    this.name = name;
    this.server = server;
  }

  static async start(
    name: ContenderName,
    root: string,
    owned: AsyncDisposableStack,
    options: { flags?: readonly string[]; environment?: NodeJS.ProcessEnv } = {},
  ): Promise<Contender> {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    const tokens = join(folder, 'tokens.csv');
    const line = ([user, groups]: readonly [string, readonly string[]]): string => `${user},${user},${user},"${groups.join(',')}"\n`;
    writeFileSync(tokens, Object.entries(users).map(line).join(''));
    const executable = name === 'ours' ? installOurs(join(root, 'package')) : findReference('kube-apiserver');
    const storage = name === 'ours' ? 'embedded' : { etcd: owned.use(await EtcdProcess.start({ dataFolder: folder })).endpoint };
    const flags = [`--token-auth-file=${tokens}`, ...(options.flags ?? [])];
    const environment = name === 'ours' ? (options.environment ?? {}) : {};
    const server = owned.use(await ApiServerProcess.start({ executable, folder, storage, flags, environment }));
    const contender = new Contender(name, server);
    await server.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'load' },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' }],
      roleRef: { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name: 'cluster-admin' },
    });
    return contender;
  }

  task(niceness: number, ...crowds: readonly CrowdPlan[]): CrowdTask {
    const { url, credentials } = this.server;
    return { url, authority: credentials.ca.toString(), crowds, niceness };
  }

  async createPods(count: number): Promise<void> {
    const { server } = this;
    await server.post('/api/v1/namespaces', { metadata: { name: namespace } });
    const account = { metadata: { name: 'default' } };
    const { status, body } = await server.request('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, account);
    // A controller may have been quicker.
    if (status !== 201 && status !== 409) throw new Error(`no ServiceAccount: ${status} ${body}`);
    let next = 0;
    const create = async (): Promise<void> => {
      while (next < count) await server.post(podsPath, pods.body(namespace, `pod-${next++}`, 'first'));
    };
    await Promise.all(Array.from({ length: parallelCreates }, create));
  }

  residentMegabytes(): number {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.server.pid}/status`, 'utf8'));
    return Number(line?.[1]) / 1024;
  }

  openHandles(): number {
    return readdirSync(`/proc/${this.server.pid}/fd`).length;
  }

  cpuSeconds(): number {
    const text = readFileSync(`/proc/${this.server.pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may contain blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }
}
