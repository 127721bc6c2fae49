import type { LogFields, Logger } from '../log.ts';
import type { Caller } from './caller.ts';
import { Callers } from './caller.ts';
import type { LogFormat, Severity } from './record.ts';
import { Repetition } from './repetition.ts';
import type { Verbosity } from './verbosity.ts';

export interface LogOptions {
  readonly verbosity: Verbosity;
  readonly format: LogFormat;
  readonly write: (line: string, severity: Severity) => void;
  /** milliseconds since 1970, with fractions */
  readonly now: () => number;
  /** lines that are not even made */
  readonly quiet?: ReadonlySet<Severity>;
  /** for how long what is written has been lost */
  readonly blockedMs?: (() => number) | undefined;
}

interface Sink extends LogOptions {
  readonly callers: Callers;
  readonly findCaller: () => Caller;
  readonly repetition: Repetition;
}

export function createLogger(options: LogOptions): Logger {
  const callers = new Callers();
  return loggerOf(
    { ...options, callers, findCaller: () => callers.find(), repetition: new Repetition() },
    { level: 0, name: '', context: undefined },
  );
}

interface Place {
  readonly level: number;
  readonly name: string;
  readonly context: LogFields | undefined;
}

function loggerOf(sink: Sink, place: Place): Logger {
  const { verbosity } = sink;
  // One for each verbosity, made when it is first wanted.
  const levels: (Logger | undefined)[] = [];
  return {
    info: (message, fields) => log(sink, place, 'I', message, fields),
    warn: (message, fields) => log(sink, place, 'W', message, fields),
    error: (message, fields) => log(sink, place, 'E', message, fields),
    v(level) {
      if (!verbosity.isEnabled(level, sink.findCaller)) return undefined;
      return (levels[level] ??= loggerOf(sink, { ...place, level }));
    },
    named: (name) => loggerOf(sink, { ...place, name: place.name === '' ? name : `${place.name}.${name}` }),
    ...(sink.blockedMs !== undefined && { blockedMs: sink.blockedMs }),
    with: (fields) => loggerOf(sink, { ...place, context: { ...place.context, ...fields } }),
  };
}

function log(sink: Sink, { level, name, context }: Place, severity: Severity, message: string, given: LogFields | undefined): void {
  if (sink.quiet?.has(severity)) return;
  const at = sink.now();
  let fields = given;
  if (severity !== 'I') {
    const suppressed = sink.repetition.admit(message, at);
    if (suppressed === undefined) return;
    if (suppressed > 0) fields = { ...fields, linesNotWritten: suppressed };
  }
  sink.write(sink.format({ severity, level, at, caller: sink.findCaller(), name, message, context, fields }), severity);
}
