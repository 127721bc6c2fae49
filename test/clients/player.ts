import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { normalise } from './normalise.ts';
import type { Step } from './step.ts';

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Upstream takes its time to delete definitions on a busy machine. */
const commandLimitMs = 150_000;
const watchSettleMs = 1500;
const eventuallyMs = 60_000;
const betweenTriesMs = 500;

/** Runs commands of kubectl against one server. */
export class Player {
  readonly #kubectl: string;
  readonly #kubeconfig: string;
  readonly #folder: string;
  readonly #manifests: string;
  readonly #kept = new Map<string, string>();

  /** `folder`: for the discovery cache, which two servers must not share, and the editor's script */
  constructor(kubectl: string, kubeconfig: string, folder: string, manifests: string) {
    this.#kubectl = kubectl;
    this.#kubeconfig = kubeconfig;
    this.#folder = folder;
    this.#manifests = manifests;
    mkdirSync(folder, { recursive: true });
  }

  async play(step: Step): Promise<Outcome> {
    const until = step.eventually === true ? performance.now() + eventuallyMs : 0;
    let outcome = await this.#play(step);
    while (outcome.code !== 0 && performance.now() < until) {
      await sleep(betweenTriesMs);
      outcome = await this.#play(step);
    }
    return outcome;
  }

  async #play(step: Step): Promise<Outcome> {
    const child = this.#start(step);
    const limit = setTimeout(() => child.kill('SIGKILL'), commandLimitMs);
    const texts = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (part: string) => (texts.out += part));
    child.stderr?.setEncoding('utf8').on('data', (part: string) => (texts.err += part));
    const closed = once(child, 'close') as Promise<[number | null]>;
    if (step.meanwhile !== undefined) {
      await sleep(watchSettleMs);
      for (const other of step.meanwhile) {
        const { code, err } = await this.play(other);
        texts.err += code === 0 ? '' : `meanwhile: ${err}`;
      }
      await sleep(watchSettleMs / 3);
      child.kill('SIGTERM');
    }
    const [code] = await closed;
    clearTimeout(limit);
    if (step.keep !== undefined) this.#kept.set(step.keep, texts.out.trim());
    const out = normalise(texts.out);
    return { code, out: step.unordered === true ? out.split('\n').toSorted().join('\n') : out, err: normalise(texts.err) };
  }

  #start(step: Step): ChildProcess {
    return spawn(
      this.#kubectl,
      ['--kubeconfig', this.#kubeconfig, '--cache-dir', join(this.#folder, 'cache'), ...this.#filled(step.args)],
      {
        cwd: this.#manifests,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, HOME: this.#folder, ...(step.edit && { KUBE_EDITOR: this.#editor(step.edit) }) },
      },
    );
  }

  #filled(args: readonly string[]): string[] {
    return args.map((arg) => arg.replace(/\{([a-z]+)\}/g, (whole, name: string) => this.#kept.get(name) ?? whole));
  }

  #editor([from, to]: readonly [string, string]): string {
    const file = join(this.#folder, 'editor.mjs');
    const replace = `readFileSync(file, 'utf8').replace(${JSON.stringify(from)}, ${JSON.stringify(to)})`;
    writeFileSync(
      file,
      `import { readFileSync, writeFileSync } from 'node:fs';\nconst file = process.argv[2];\nwriteFileSync(file, ${replace});\n`,
    );
    return `${process.execPath} ${file}`;
  }
}
