import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from '../../src/base/tls/certificate.ts';
import { renderKubeconfig } from '../../src/controlplane/kubeconfig.ts';
import { freePort } from '../etcd/etcd-process.ts';
import type { ApiServerProcess } from './api-server-process.ts';
import { findReference } from './reference-binaries.ts';
import type { ReferenceProgram } from './reference-binaries.ts';

const day = 24 * 3600 * 1000;
const exampleStages = join(import.meta.dirname, '../../examples/kwok-stages.yaml');

/** Upstream's controllers and scheduler, and kwok in place of kubelets, against one API server, each with its own identity. */
export class Controllers implements AsyncDisposable {
  readonly #server: ApiServerProcess;
  readonly #folder: string;
  readonly #children: ChildProcess[] = [];
  #stopping = false;

  private constructor(server: ApiServerProcess, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  /** They run when this returns; whether they work is for the caller to see. `stages`: how kwok's nodes and pods live. */
  static async start(server: ApiServerProcess, folder: string, stages = exampleStages): Promise<Controllers> {
    const controllers = new Controllers(server, folder);
    await controllers.#startManager(['*', 'bootstrap-signer-controller', 'token-cleaner-controller']);
    await controllers.#startScheduler();
    await controllers.#startNodes(stages);
    return controllers;
  }

  /** Only these of the controllers, and nothing else. */
  static async startManager(
    server: ApiServerProcess,
    folder: string,
    names: readonly string[],
    flags: readonly string[] = [],
  ): Promise<Controllers> {
    const controllers = new Controllers(server, folder);
    // Each begins when the informers are there: some look once, and then not for an hour.
    await controllers.#startManager(names, '--controller-start-interval=2s', ...flags);
    return controllers;
  }

  /** Errors that a program has logged, without time and place. */
  errors(program: ReferenceProgram): string[] {
    const lines = readFileSync(this.#log(program), 'utf8').split('\n');
    return lines.filter((line) => /^[EF]\d{4} /.test(line)).map((line) => line.slice(line.indexOf('] ') + 2));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    for (const child of this.#children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  }

  async #startManager(names: readonly string[], ...more: readonly string[]): Promise<void> {
    const { authority, tokenKeys } = this.#server.files;
    await this.#start('kube-controller-manager', [
      ...this.#identity('kube-controller-manager', 'system:kube-controller-manager'),
      ...(await this.#serving('kube-controller-manager')),
      `--controllers=${names.join(',')}`,
      '--use-service-account-credentials=true',
      '--allocate-node-cidrs=true',
      '--cluster-cidr=10.244.0.0/16',
      '--service-cluster-ip-range=10.96.0.0/12',
      `--root-ca-file=${authority}`,
      `--service-account-private-key-file=${tokenKeys.private}`,
      `--cluster-signing-cert-file=${authority}`,
      `--cluster-signing-key-file=${this.#pki('ca.key')}`,
      ...more,
    ]);
  }

  async #startScheduler(): Promise<void> {
    const flags = [...this.#identity('kube-scheduler', 'system:kube-scheduler'), ...(await this.#serving('kube-scheduler'))];
    await this.#start('kube-scheduler', flags);
  }

  async #startNodes(stages: string): Promise<void> {
    const port = await freePort();
    await this.#start('kwok', [
      `--kubeconfig=${this.#server.files.kubeconfig}`,
      `--config=${stages}`,
      '--manage-all-nodes=true',
      '--node-ip=127.0.0.1',
      '--cidr=10.251.0.0/16',
      `--node-port=${port}`,
      `--server-address=127.0.0.1:${port}`,
      '--node-lease-duration-seconds=40',
    ]);
  }

  #identity(name: string, commonName: string): string[] {
    const authority = { certificate: readFileSync(this.#pki('ca.crt'), 'utf8'), key: readFileSync(this.#pki('ca.key'), 'utf8') };
    const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
    const pair = issueCertificate(authority, { subject: { commonName }, uses: ['client'], validity });
    const kubeconfig = join(this.#folder, `${name}.kubeconfig`);
    writeFileSync(kubeconfig, renderKubeconfig(this.#server.url, authority.certificate, pair), { mode: 0o600 });
    return ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((flag) => `--${flag}=${kubeconfig}`);
  }

  async #serving(name: string): Promise<string[]> {
    return ['--bind-address=127.0.0.1', `--secure-port=${await freePort()}`, `--cert-dir=${join(this.#folder, `${name}-cert`)}`];
  }

  async #start(program: ReferenceProgram, flags: readonly string[]): Promise<void> {
    const log = openSync(this.#log(program), 'a');
    const child = spawn(findReference(program), flags, { stdio: ['ignore', log, log], cwd: this.#folder });
    closeSync(log);
    this.#children.push(child);
    child.once('exit', (code) => {
      if (!this.#stopping) process.stderr.write(`${program} ended with ${code}; see ${this.#log(program)}\n`);
    });
    await once(child, 'spawn');
  }

  #log(program: ReferenceProgram): string {
    return join(this.#folder, `${program}.log`);
  }

  #pki(name: string): string {
    return join(this.#server.files.authority, '..', name);
  }
}
