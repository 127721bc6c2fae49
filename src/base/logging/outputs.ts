// Upstream: k8s.io/component-base/logs/api/v1/text.go
import type { Clock } from '../clock.ts';
import type { Severity } from './record.ts';

/** What takes text at once, or drops it. */
export interface Output {
  write(text: string): void;
}

export interface OutputStream {
  readonly writableLength: number;
  write(text: string): unknown;
}

/** bytes that wait for a reader who does not read */
const mostPending = 1 << 20;

/**
 * A stream that is written to for as long as it is read: when too much waits, or writing fails, lines are dropped and counted. The log has
 * no claim on memory, and no request waits for it.
 */
export class BoundedOutput implements Output {
  readonly #stream: OutputStream;
  readonly #droppedNotice: (lines: number) => string;
  #dropped = 0;
  #droppedSince = 0;

  /** `droppedNotice` is the line that is written once there is room again. */
  constructor(stream: OutputStream, droppedNotice: (lines: number) => string) {
    this.#stream = stream;
    this.#droppedNotice = droppedNotice;
  }

  /** milliseconds for which no line has been taken; 0: lines are taken */
  get blockedMs(): number {
    return this.#dropped === 0 ? 0 : performance.now() - this.#droppedSince;
  }

  write(text: string): void {
    const pending = this.#stream.writableLength;
    // Once full it stays full until half of it has been read: not one line in, one line out.
    if (pending > mostPending || (this.#dropped > 0 && pending > mostPending / 2)) {
      this.#drop();
      return;
    }
    try {
      if (this.#dropped > 0) {
        this.#stream.write(this.#droppedNotice(this.#dropped));
        this.#dropped = 0;
      }
      this.#stream.write(text);
    } catch {
      // A file on a full disk throws. Where should that be reported, if not here.
      this.#drop();
    }
  }

  #drop(): void {
    if (this.#dropped++ === 0) this.#droppedSince = performance.now();
  }
}

/** Holds lines back until there is enough of them, or it is time. */
export class BufferedOutput implements Output, Disposable {
  readonly #out: Output;
  readonly #size: number;
  readonly #flushIntervalMs: number;
  readonly #clock: Clock;
  #held: string[] = [];
  #bytes = 0;
  #timer: Disposable | undefined;

  constructor(out: Output, size: number, flushIntervalMs: number, clock: Clock) {
    this.#out = out;
    this.#size = size;
    this.#flushIntervalMs = flushIntervalMs;
    this.#clock = clock;
  }

  write(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#bytes + bytes > this.#size) this[Symbol.dispose]();
    if (bytes > this.#size) {
      this.#out.write(text);
      return;
    }
    this.#held.push(text);
    this.#bytes += bytes;
    this.#timer ??= this.#clock.setTimeout(() => this[Symbol.dispose](), this.#flushIntervalMs);
  }

  /** Writes what is held. */
  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (this.#held.length === 0) return;
    const text = this.#held.join('');
    this.#held = [];
    this.#bytes = 0;
    this.#out.write(text);
  }
}

export interface RoutingOptions {
  readonly out: Output;
  readonly err: Output;
  /** info lines go to `out`; else everything goes to `err` */
  readonly split: boolean;
  /** bytes of info lines that are held back, where they have a stream of their own */
  readonly infoBufferBytes: number;
  readonly flushIntervalMs: number;
  readonly clock: Clock;
}

export interface RoutedOutput extends Disposable {
  write(line: string, severity: Severity): void;
}

/** Which stream a line goes to. Disposing of it writes what was held back. */
export function routeLines({ out, err, split, infoBufferBytes, flushIntervalMs, clock }: RoutingOptions): RoutedOutput {
  const buffer = split && infoBufferBytes > 0 ? new BufferedOutput(out, infoBufferBytes, flushIntervalMs, clock) : undefined;
  const info = buffer ?? (split ? out : err);
  return {
    write: (line, severity) => (severity === 'I' ? info : err).write(line),
    [Symbol.dispose]: () => buffer?.[Symbol.dispose](),
  };
}
