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

export interface SampleApiServerOptions {
  /** for certificate and log */
  readonly folder: string;
  readonly etcd: string;
  /** of the API server that it is behind */
  readonly kubeconfig: string;
  readonly serving: KeyPair;
  /** where it listens */
  readonly address: string;
}

const startLimitMs = 60_000;

/** Kubernetes' sample of an aggregated API server, with its flunders and fischers. Ends with its owner. */
export class SampleApiServer implements AsyncDisposable {
  readonly port: number;
  readonly #options: SampleApiServerOptions;
  #child: ChildProcess | undefined;

  private constructor(options: SampleApiServerOptions, port: number) {
    this.#options = options;
    this.port = port;
    mkdirSync(options.folder, { recursive: true });
    writeFileSync(join(options.folder, 'tls.crt'), options.serving.certificate);
    writeFileSync(join(options.folder, 'tls.key'), options.serving.key);
  }

  static async start(options: SampleApiServerOptions): Promise<SampleApiServer> {
    const server = new SampleApiServer(options, await freePort());
    await server.start();
    return server;
  }

  /** Also after `stop`, with the same data and address. */
  async start(): Promise<void> {
    const { folder, etcd, kubeconfig, address } = this.#options;
    const file = join(folder, 'sample-apiserver.log');
    const log = openSync(file, 'a');
    const child = spawn(
      findReference('sample-apiserver'),
      [
        `--etcd-servers=${etcd}`,
        `--etcd-prefix=${folder}`,
        `--bind-address=${address}`,
        `--secure-port=${this.port}`,
        `--tls-cert-file=${join(folder, 'tls.crt')}`,
        `--tls-private-key-file=${join(folder, 'tls.key')}`,
        ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((flag) => `--${flag}=${kubeconfig}`),
      ],
      { stdio: ['ignore', log, log], cwd: folder },
    );
    closeSync(log);
    this.#child = child;
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    const started = performance.now();
    while (!(await this.#isListening())) {
      const isLate = performance.now() - started > startLimitMs;
      if (this.#child !== child || isLate) throw new Error(`the sample server does not start\n${readFileSync(file, 'utf8').slice(-3000)}`);
      await sleep(50);
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #isListening(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, this.#options.address);
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      // The port is not open yet.
      socket.once('error', () => resolve(false));
    });
  }
}
