/** Structured log lines in the shape that Kubernetes' components write: `I1116 00:24:30.123456   12345 file] "message" key="value"`. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** true when `-v` is at least this: check before building a costly line */
  verbose(level: number): boolean;
  /** the same sink under another name */
  named(name: string): Logger;
}

export interface LogOptions {
  readonly verbosity: number;
  readonly write: (line: string) => void;
  readonly now: () => Date;
  readonly pid: number;
}

export function createLogger(options: LogOptions, name = 'wheelhouse'): Logger {
  const line = (severity: string, message: string, fields: LogFields | undefined): void => {
    const at = options.now();
    const pad = (value: number, width: number): string => String(value).padStart(width, '0');
    const stamp = `${pad(at.getMonth() + 1, 2)}${pad(at.getDate(), 2)} ${pad(at.getHours(), 2)}:${pad(at.getMinutes(), 2)}:${pad(at.getSeconds(), 2)}.${pad(at.getMilliseconds(), 3)}000`;
    let text = `${severity}${stamp} ${String(options.pid).padStart(7)} ${name}] ${JSON.stringify(message)}`;
    for (const key in fields) text += ` ${key}=${render(fields[key])}`;
    options.write(`${text}\n`);
  };
  return {
    info: (message, fields) => line('I', message, fields),
    warn: (message, fields) => line('W', message, fields),
    error: (message, fields) => line('E', message, fields),
    verbose: (level) => options.verbosity >= level,
    named: (other) => createLogger(options, other),
  };
}

function render(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  return JSON.stringify(value) ?? String(value);
}

export const silentLogger: Logger = {
  info() {},
  warn() {},
  error() {},
  verbose: () => false,
  named: () => silentLogger,
};
