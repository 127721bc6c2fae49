import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeatTaker } from './seats.ts';
import { Seats } from './seats.ts';

const narrow: SeatTaker = { initialSeats: 1, seats: 1 };
const wide: SeatTaker = { initialSeats: 8, seats: 8 };
const waking: SeatTaker = { initialSeats: 1, seats: 10 };

/** How many of them get a seat one after the other. */
function fill(seats: Seats, taker: SeatTaker): number {
  let count = 0;
  for (; seats.mayBeNext(taker); count++) seats.take(taker);
  return count;
}

test('a quarter of the seats stays for requests of one seat', () => {
  const seats = new Seats(49);
  assert.equal(fill(seats, wide), 4);
  assert.ok(seats.mayPass(narrow, wide));
  assert.equal(fill(seats, narrow), 17);
  assert.equal(seats.inUse, 49);
});

test('while the event loop is late, wide requests are served two at a time, and half of the seats are there for others', () => {
  const seats = new Seats(48);
  seats.share = 0.1;
  assert.equal(fill(seats, wide), 2);
  assert.equal(fill(seats, narrow), 24);
  seats.share = 1;
  assert.equal(fill(seats, wide), 1);
});

test('a second wide request leaves a quarter of the seats to others as well', () => {
  const seats = new Seats(20);
  seats.share = 0.1;
  assert.equal(fill(seats, wide), 1);
});

test('lists that began before the event loop was late do not keep others from their half', () => {
  const seats = new Seats(40);
  assert.equal(fill(seats, wide), 3);
  seats.share = 0.1;
  assert.equal(fill(seats, narrow), 16);
});

test('a request that passes a wide one leaves it what it waits for', () => {
  const seats = new Seats(20);
  for (let taken = 0; taken < 5; taken++) seats.take(narrow);
  assert.ok(!seats.mayPass(narrow, wide));
  seats.giveBack(narrow);
  assert.ok(seats.mayPass(narrow, wide));
});

test('a request that wakes watches counts for its seats, and is none of the wide ones', () => {
  const seats = new Seats(49);
  assert.equal(fill(seats, waking), 4);
  assert.equal(fill(seats, wide), 1);
});

test('what wants more seats than there are is served alone', () => {
  const seats = new Seats(4);
  assert.ok(seats.mayBeNext(wide));
  seats.take(wide);
  assert.ok(!seats.mayBeNext(narrow));
  seats.giveBack(wide);
  seats.take(narrow);
  assert.ok(!seats.mayBeNext(wide));
  seats.giveBack(narrow);
  assert.ok(seats.mayBeNext(wide));
});
