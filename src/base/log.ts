/** What varies of a line; the message itself is constant, so that operators can search for it. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** The error is the field `err`. */
  error(message: string, fields?: LogFields): void;
  /** For lines of this verbosity; undefined when they are not wanted, so that `log.v(4)?.info(...)` does not even make its fields. */
  v(level: number): Logger | undefined;
  /** the same sink under another name */
  named(name: string): Logger;
  /** the same sink; every line has these fields as well */
  with(fields: LogFields): Logger;
  /** for how many milliseconds lines have been lost, since they are not read; absent: not known */
  blockedMs?(): number;
}

export const silentLogger: Logger = {
  info() {},
  warn() {},
  error() {},
  v: () => undefined,
  named: () => silentLogger,
  with: () => silentLogger,
};
