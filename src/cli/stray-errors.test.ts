import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { silentLogger } from '../base/log.ts';
import { metricsText } from '../base/exposition/text.ts';
import { MetricsRegistry } from '../base/metrics.ts';
import { surviveStrayErrors } from './stray-errors.ts';

test('an error that nobody handled is logged and counted, until the server has stopped', () => {
  const process = new EventEmitter();
  const metrics = new MetricsRegistry();
  const lines: unknown[] = [];
  const log = { ...silentLogger, error: (message: string, fields?: object) => void lines.push({ message, ...fields }) };
  {
    using _ = surviveStrayErrors(process, log, metrics);
    process.emit('uncaughtException', Object.assign(new Error(), { stack: 'Error: first' }));
    process.emit('unhandledRejection', 'second');
    process.emit('unhandledRejection', 'third');
  }
  process.emit('unhandledRejection', 'after the stop');
  assert.deepEqual(lines, [
    { message: 'unhandled error', origin: 'uncaughtException', err: 'Error: first' },
    { message: 'unhandled error', origin: 'unhandledRejection', err: 'second' },
    { message: 'unhandled error', origin: 'unhandledRejection', err: 'third' },
  ]);
  const shown = metricsText(metrics);
  assert.match(shown, /wheelhouse_unhandled_errors_total\{origin="uncaughtException"\} 1\n/);
  assert.match(shown, /wheelhouse_unhandled_errors_total\{origin="unhandledRejection"\} 2\n/);
});
