import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { createLogger } from './create-logger.ts';
import { jsonFormat } from './json-format.ts';
import { BoundedOutput, routeLines } from './outputs.ts';
import type { LogFormat } from './record.ts';
import { textFormat } from './text-format.ts';
import { Verbosity } from './verbosity.ts';

const at = new Date(2026, 10, 7, 5, 57, 21, 25).getTime() + 0.7795;

function collect(format: LogFormat, verbosity = new Verbosity(0), now = () => at): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  return { log: createLogger({ verbosity, format, write: (line) => lines.push(line), now }), lines };
}

/** without what depends on where this test stands in its file */
const placed = (line: string | undefined): string => (line ?? '').replace(/create-logger\.test\.ts:\d+/, 'FILE');

describe('text', () => {
  const text = (write: (log: Logger) => void): string => {
    const { log, lines } = collect(textFormat(22819));
    write(log);
    return placed(lines.join(''));
  };

  test('a line has severity, time, process, place, quoted message and fields', () => {
    assert.equal(
      text((log) => log.info('a "b"\n', { s: 'x\ty', n: 1, b: true, list: ['<'], none: undefined })),
      'I1107 05:57:21.025779   22819 FILE] "a \\"b\\"\\n" s="x\\ty" n=1 b=true list=["\\u003c"] none=null\n',
    );
  });

  test('the error comes first', () => {
    assert.equal(
      text((log) => log.error('failed', { name: 'x', err: new Error('why') })),
      'E1107 05:57:21.025779   22819 FILE] "failed" err="why" name="x"\n',
    );
  });

  test('values of several lines are indented', () => {
    assert.equal(
      text((log) => log.warn('w', { v: 'a\nb', w: 'c\n' })),
      'W1107 05:57:21.025779   22819 FILE] "w" v=<\n\ta\n\tb\n > w=<\n\tc\n >\n',
    );
  });

  test('name and fields of the logger come before those of the line, which win', () => {
    assert.equal(
      text((log) => log.named('a').named('b').with({ k: 1, l: 2 }).info('m', { k: 3 })),
      'I1107 05:57:21.025779   22819 FILE] "m" logger="a.b" l=2 k=3\n',
    );
  });

  test('what cannot be shown does not throw', () => {
    const self: Record<string, unknown> = {};
    self['self'] = self;
    assert.match(
      text((log) => log.info('m', { self, big: 3n })),
      /self="\\u003cinternal error: .*\\u003e" big="3"\n$/,
    );
  });
});

describe('json', () => {
  const parsed = (write: (log: Logger) => void, verbosity = new Verbosity(3)): unknown => {
    const { log, lines } = collect(jsonFormat, verbosity);
    write(log);
    return JSON.parse(placed(lines[0]));
  };
  const ts = at;

  test('a line has time, place with folder, message, verbosity and fields', () => {
    assert.deepEqual(
      parsed((log) => log.v(3)?.info('HTTP', { verb: 'GET', resp: 200 })),
      { ts, caller: 'logging/FILE', msg: 'HTTP', v: 3, verb: 'GET', resp: 200 },
    );
  });

  test('an error has no verbosity', () => {
    assert.deepEqual(
      parsed((log) => log.named('n').error('failed', { err: new Error('why'), name: 'x' })),
      { ts, logger: 'n', caller: 'logging/FILE', msg: 'failed', name: 'x', err: 'why' },
    );
  });
});

describe('verbosity', () => {
  test('what is not wanted is undefined, and it can change while the logger is in use', () => {
    const verbosity = new Verbosity(2);
    const { log } = collect(jsonFormat, verbosity);
    const named = log.named('n');
    assert.equal(log.v(3), undefined);
    assert.notEqual(log.v(2), undefined);
    verbosity.level = 3;
    assert.notEqual(named.v(3), undefined);
  });

  for (const [pattern, wanted] of [
    ['create-logger.test', true],
    ['create*', true],
    ['create?logger.*', true],
    ['c[a-r]*', true],
    ['c[^a-q]*', true],
    ['c[s-z]*', false],
    ['\\create-logger.test', true],
    ['create', false],
    ['[', false],
    ['[]c]*', false],
    ['[-c]*', false],
    ['c[a-\\r]*', true],
    ['*r\\', false],
    // Would never end if every star was tried with every other.
    [`${'*'.repeat(60)}z`, false],
    [`${'*?'.repeat(18)}*`, true],
    [`${'*?'.repeat(19)}*`, false],
    ['create-logger', false],
  ] as const) {
    test(`--vmodule=${pattern}=4 is ${wanted ? '' : 'not '}for this file`, () => {
      const { log } = collect(textFormat(1), new Verbosity(0, [{ pattern, level: 4 }]));
      assert.equal(log.v(4) !== undefined, wanted);
      assert.equal(log.v(5), undefined);
    });
  }
});

test('of errors that repeat a burst is written, then a few each second, with the number of those that were not', () => {
  let time = at;
  const { log, lines } = collect(jsonFormat, new Verbosity(0), () => time);
  for (let i = 0; i < 10_000; i++) log.error('again', { i });
  assert.equal(lines.length, 100);
  log.error('another');
  log.info('again');
  assert.equal(lines.length, 102);
  time += 1000;
  for (let i = 0; i < 10_000; i++) log.error('again');
  assert.equal(lines.length, 107);
  assert.equal((JSON.parse(lines[102] as string) as { linesNotWritten: number }).linesNotWritten, 9900);
});

describe('output', () => {
  const stream = (): { writableLength: number; text: string; fails: boolean; write(text: string): void } => ({
    writableLength: 0,
    text: '',
    fails: false,
    write(text) {
      if (this.fails) throw new Error('ENOSPC');
      this.text += text;
    },
  });
  const notice = (lines: number): string => `${lines} dropped\n`;

  test('lines that nobody reads are dropped and counted', () => {
    const to = stream();
    const output = new BoundedOutput(to, notice);
    to.writableLength = 2 << 20;
    output.write('a\n');
    output.write('b\n');
    to.writableLength = 700_000;
    output.write('c\n');
    to.writableLength = 0;
    output.write('d\n');
    assert.equal(to.text, '3 dropped\nd\n');
  });

  test('a full disk is nobody else’s trouble', () => {
    const to = stream();
    const output = new BoundedOutput(to, notice);
    to.fails = true;
    output.write('a\n');
    to.fails = false;
    output.write('b\n');
    assert.equal(to.text, '1 dropped\nb\n');
  });

  test('info lines are held back until there are enough, or it is time, or the end', () => {
    const [out, err, clock] = [stream(), stream(), new ManualClock()];
    const routed = routeLines({ out, err, split: true, infoBufferBytes: 8, flushIntervalMs: 5000, clock });
    routed.write('i1\n', 'I');
    routed.write('e1\n', 'E');
    routed.write('i2\n', 'I');
    assert.deepEqual([out.text, err.text], ['', 'e1\n']);
    routed.write('i3\n', 'I');
    assert.equal(out.text, 'i1\ni2\n');
    clock.advance(5000);
    assert.equal(out.text, 'i1\ni2\ni3\n');
    routed.write('longer than 8\n', 'I');
    assert.equal(out.text, 'i1\ni2\ni3\nlonger than 8\n');
    routed.write('i4\n', 'I');
    routed[Symbol.dispose]();
    assert.equal(out.text, 'i1\ni2\ni3\nlonger than 8\ni4\n');
    assert.equal(clock.timers, 0);
  });

  test('everything goes to standard error unless it is split', () => {
    const [out, err] = [stream(), stream()];
    routeLines({ out, err, split: false, infoBufferBytes: 8, flushIntervalMs: 1, clock: new ManualClock() }).write('i\n', 'I');
    assert.deepEqual([out.text, err.text], ['', 'i\n']);
  });
});
