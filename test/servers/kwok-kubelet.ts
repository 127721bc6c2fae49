import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyPair } from '../../src/base/tls/certificate.ts';
import { freePort } from '../etcd/etcd-process.ts';
import { findReference } from './reference-binaries.ts';

export interface KwokKubeletOptions {
  readonly folder: string;
  /** of a server that it asks for nodes, none of which it manages */
  readonly kubeconfig: string;
  readonly serving: KeyPair;
  /** lines of every container's log, with their times */
  readonly log: string;
  /** where connections to port 8080 of a pod go */
  readonly podPort: number;
}

const kinds = ({ log, podPort }: { log: string; podPort: number }): object[] => [
  { kind: 'ClusterLogs', spec: { logs: [{ logsFile: log, follow: true }] } },
  { kind: 'ClusterExec', spec: { execs: [{ containers: ['a'], local: {} }] } },
  { kind: 'ClusterAttach', spec: { attaches: [{ logsFile: log }] } },
  { kind: 'ClusterPortForward', spec: { forwards: [{ ports: [8080], target: { address: '127.0.0.1', port: podPort } }] } },
];

/** The part of kwok that serves as a kubelet does: commands run on this machine, logs are a file. */
export class KwokKubelet implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.#child = child;
  }

  static async start({ folder, kubeconfig, serving, log, podPort }: KwokKubeletOptions): Promise<KwokKubelet> {
    mkdirSync(folder, { recursive: true });
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const wanted = kinds({ log: file('container.log', log), podPort }).map((kind, index) =>
      JSON.stringify({ apiVersion: 'kwok.x-k8s.io/v1alpha1', metadata: { name: `kubelet-${index}` }, ...kind }),
    );
    const stages = readFileSync(join(import.meta.dirname, '../../examples/kwok-stages.yaml'), 'utf8');
    const port = await freePort();
    const output = openSync(join(folder, 'kwok.log'), 'a');
    const flags = [
      `--kubeconfig=${kubeconfig}`,
      `--config=${file('kwok.yaml', [...wanted, stages].join('\n---\n'))}`,
      '--manage-all-nodes=false',
      '--manage-nodes-with-label-selector=nobody=nothing',
      `--node-port=${port}`,
      `--server-address=127.0.0.1:${port}`,
      `--tls-cert-file=${file('kubelet.crt', serving.certificate)}`,
      `--tls-private-key-file=${file('kubelet.key', serving.key)}`,
    ];
    const child = spawn(findReference('kwok'), flags, { stdio: ['ignore', output, output], cwd: folder });
    closeSync(output);
    await once(child, 'spawn');
    const kubelet = new KwokKubelet(port, child);
    while (!(await kubelet.#listens())) await sleep(100);
    return kubelet;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  #listens(): Promise<boolean> {
    if (this.#child.exitCode !== null) throw new Error('kwok ended; see its log');
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  }
}
