import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from './connection.ts';
import * as limits from './limits.ts';
import { Strangers } from './strangers.ts';

test('of too many strangers the oldest that are idle end, and nobody who is known', () => {
  let counted = 0;
  const strangers = new Strangers(() => counted++);
  const ended: number[] = [];
  const connections = Array.from({ length: limits.maxIdleStrangers + 5 }, () => new Connection(undefined));
  for (const index of [0, 3]) (connections[index] as Connection).known = true;
  for (const [index, connection] of connections.entries()) {
    if (index === 2) strangers.delete(connections[1] as Connection);
    strangers.add(connection, { idle: () => index !== 4, end: () => ended.push(index) }, index < 100 ? 0 : limits.newcomerMs + 1);
  }
  // 0 and 3 are known, 1 is gone, 4 is busy.
  assert.deepEqual(ended, [2, 5]);
  assert.equal(counted, 2);
  assert.equal(strangers.count, limits.maxIdleStrangers);
});

test('many clients that come at once have time for their first requests, unless there are far too many', () => {
  const strangers = new Strangers(() => {});
  const ended: number[] = [];
  const add = (index: number, now: number): void =>
    strangers.add(new Connection(undefined), { idle: () => true, end: () => ended.push(index) }, now);
  for (let index = 0; index < limits.maxStrangers; index++) add(index, 0);
  assert.deepEqual(ended, []);
  add(limits.maxStrangers, limits.newcomerMs);
  assert.deepEqual(ended, [0]);
  add(limits.maxStrangers + 1, limits.newcomerMs + 1);
  assert.equal(strangers.count, limits.maxIdleStrangers);
});
