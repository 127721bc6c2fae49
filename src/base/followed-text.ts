// Upstream: k8s.io/apiserver/pkg/server/dynamiccertificates
import type { Clock } from './clock.ts';
import type { TextSource } from './text-source.ts';
import { readText } from './text-source.ts';
import { WatchedFile } from './watched-text.ts';

export interface FollowOptions {
  readonly clock: Clock;
  readonly onError: (error: Error, file: string) => void;
}

/** Texts of which those in files may change. Each file is read and watched once, however many parts need it. */
export class FollowedTexts implements Disposable {
  readonly #options: FollowOptions;
  readonly #files = new Map<string, { text: string; readonly watched: WatchedFile; readonly changed: Set<() => void> }>();

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** What the source holds now. `changed` is called when it holds something else; what it throws is reported. */
  read(source: TextSource, changed?: () => void): string {
    if (typeof source === 'string') return source;
    const { file } = source;
    let known = this.#files.get(file);
    if (known === undefined) {
      const text = readText(source);
      const callbacks = new Set<() => void>();
      const onChange = (next: string): void => {
        // OpenSSL takes an empty certificate for none, and would go on without.
        if (next === '') throw new Error(`${file} is empty`);
        const followed = this.#files.get(file);
        if (followed !== undefined) followed.text = next;
        // One that cannot use the new text keeps none of the others from it.
        const failures = [...callbacks].flatMap((callback) => failureOf(callback));
        if (failures.length > 0) throw failures[0];
      };
      const { clock } = this.#options;
      const onError = (error: Error): void => this.#options.onError(error, file);
      known = { text, watched: new WatchedFile({ file, text, clock, onChange, onError }), changed: callbacks };
      this.#files.set(file, known);
    }
    if (changed !== undefined) known.changed.add(changed);
    return known.text;
  }

  [Symbol.dispose](): void {
    for (const { watched } of this.#files.values()) watched[Symbol.dispose]();
  }
}

function failureOf(callback: () => void): unknown[] {
  try {
    callback();
    return [];
  } catch (error) {
    return [error];
  }
}
