// Upstream: k8s.io/component-base/logs/api/v1/options.go
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { createLogger } from '../base/logging/create-logger.ts';
import { jsonFormat } from '../base/logging/json-format.ts';
import { routeLines } from '../base/logging/outputs.ts';
import { textFormat } from '../base/logging/text-format.ts';
import { Verbosity } from '../base/logging/verbosity.ts';
import { formatDuration } from '../machinery/duration.ts';
import { goQuote } from '../machinery/go-format.ts';
import { Quantity } from '../machinery/quantity.ts';
import type { FeatureGates } from '../server/registry/features.ts';
import type { FlagValues } from './flags/flag.ts';
import type { logsFlags } from './flags/observability.ts';
import type { CommandIo } from './server-command.ts';

type LogFlags = FlagValues<typeof logsFlags.flags>;

/** What is wrong with the flags, in upstream's words and order. */
export function validateLogging(flags: LogFlags, features: FeatureGates): string[] {
  return [...loggingProblems(flags, features)];
}

function* loggingProblems(flags: LogFlags, features: FeatureGates): Iterable<string> {
  const frequency = flags['log-flush-frequency'];
  const shown = goQuote(formatDuration(BigInt(Math.round(frequency * 1e6))));
  if (frequency <= 0) yield `flushFrequency: Invalid value: ${shown}: Must be greater than zero`;
  const format = flags['logging-format'];
  if (format !== 'text' && format !== 'json') yield `format: Invalid value: ${goQuote(format)}: Unsupported log format`;
  if (format === 'json' && !features.enabled('LoggingBetaOptions'))
    yield 'format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature';
  if (flags.vmodule.length > 0 && format !== '' && format !== 'text') yield 'vmodule: Forbidden: Only supported for text log format';
  if (features.enabled('LoggingAlphaOptions')) return;
  for (const kind of ['text', 'json'] as const) {
    const forbidden = 'Forbidden: Feature LoggingAlphaOptions is disabled';
    if (flags[`log-${kind}-split-stream`]) yield `options.${kind}.splitStream: ${forbidden}`;
    if (Quantity.parse(flags[`log-${kind}-info-buffer-size`]).value() !== 0n) yield `options.${kind}.infoBufferSize: ${forbidden}`;
  }
}

export interface OpenLog extends Disposable {
  readonly log: Logger;
  readonly verbosity: Verbosity;
}

/** Before the flags are known to be good. */
export function earlyLog(io: CommandIo): Logger {
  return createLogger({ verbosity: new Verbosity(0), format: textFormat(process.pid), write: (line) => io.err(line), now });
}

/** The log that valid flags ask for. `quiet`: without info lines. */
export function openLog(flags: LogFlags, io: CommandIo, quiet: boolean): OpenLog {
  const format = flags['logging-format'] === 'json' ? 'json' : 'text';
  const size = Quantity.parse(flags[`log-${format}-info-buffer-size`]).value();
  const output = routeLines({
    out: { write: (text) => io.out(text) },
    err: { write: (text) => io.err(text) },
    split: flags[`log-${format}-split-stream`],
    infoBufferBytes: size > 0n ? Number(size < largestBuffer ? size : largestBuffer) : 0,
    flushIntervalMs: flags['log-flush-frequency'],
    clock: systemClock,
  });
  const verbosity = new Verbosity(flags.v, flags.vmodule);
  const log = createLogger({
    verbosity,
    format: format === 'json' ? jsonFormat : textFormat(process.pid),
    write: (line, severity) => output.write(line, severity),
    now,
    blockedMs: io.blockedMs,
    ...(quiet && { quiet: new Set(['I'] as const) }),
  });
  return { log, verbosity, [Symbol.dispose]: () => output[Symbol.dispose]() };
}

/** More than this is not worth its memory, whatever is asked for. */
const largestBuffer = 64n << 20n;

/** To the microsecond; `Date.now()` knows milliseconds. Follows the system's clock when that is set. */
function now(): number {
  const coarse = Date.now();
  const fine = performance.timeOrigin + performance.now();
  return Math.abs(fine - coarse) < 2 ? fine : coarse;
}
