import type { LogFields } from '../log.ts';
import type { Caller } from './caller.ts';

export type Severity = 'I' | 'W' | 'E';

/** One line, before it is text. */
export interface LogRecord {
  readonly severity: Severity;
  /** verbosity that the line needs */
  readonly level: number;
  /** milliseconds since 1970, with fractions */
  readonly at: number;
  readonly caller: Caller;
  readonly name: string;
  readonly message: string;
  /** of the logger */
  readonly context: LogFields | undefined;
  /** of the line */
  readonly fields: LogFields | undefined;
}

export type LogFormat = (record: LogRecord) => string;

/** Fields of the logger, then those of the line: a key that comes again has the later value, at the later place. */
export function* fieldsOf({ context, fields }: LogRecord): Generator<readonly [key: string, value: unknown]> {
  for (const key in context) if (fields === undefined || !Object.hasOwn(fields, key)) yield [key, context[key]];
  for (const key in fields) yield [key, fields[key]];
}
