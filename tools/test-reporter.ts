// Reporter for node --test: a line of progress now and then, failures in full, and node's own closing lines.
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

interface Failure {
  readonly name: string;
  readonly file: string;
  readonly error: unknown;
}

const textOf = ({ name, file, error }: Failure): string => `\n✖ ${name} (${file})\n${inspect(error)}\n`;

/** Longer than a test may take (test.ts). */
const silenceMs = 200_000;

/** Whatever a test leaves open keeps the process, and with it the summary, from its end. */
function failUnended(failures: readonly Failure[]): never {
  for (const failure of failures) console.error(textOf(failure));
  console.error(`all tests have ended, but their process has not; still open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const started = performance.now();
  const failures: Failure[] = [];
  let passed = 0;
  let shown = started;
  const silence = setTimeout(() => failUnended(failures), silenceMs).unref();
  for await (const event of events) {
    silence.refresh();
    if (event.type === 'test:pass') passed++;
    if (event.type === 'test:fail') {
      const { name, file = '', details } = event.data;
      const { cause, message } = details.error as Error & { cause?: unknown };
      // A test that fails only because a test within it failed has been reported already.
      if (!/^\d+ subtests? failed$/.test(message)) {
        failures.push({ name, file, error: cause ?? details.error });
        yield `  ✖ ${name} (${file})\n`;
      }
    }
    // what a test counts; node's own lines have no file
    if (event.type === 'test:diagnostic' && event.data.file !== undefined) yield `  ${event.data.message}\n`;
    if (event.type === 'test:stderr' || event.type === 'test:stdout') yield event.data.message;
    if (performance.now() - shown > 5000) {
      shown = performance.now();
      yield `  ${passed} passed, ${failures.length} failed after ${Math.round((shown - started) / 1000)} s\n`;
    }
    if (event.type === 'test:summary' && event.data.file === undefined) {
      yield* failures.map(textOf);
      const { tests, suites, passed: pass, cancelled, skipped, todo } = event.data.counts;
      const fail = tests - pass - cancelled - skipped - todo;
      const lines = Object.entries({ tests, suites, pass, fail, cancelled, skipped, todo, duration_ms: event.data.duration_ms });
      yield lines.map(([key, value]) => `ℹ ${key} ${value}\n`).join('');
    }
  }
}
