// Upstream: github.com/google/cel-go/interpreter/interpretable.go#evalFold, #folder

import type { ComprehensionExpr } from './ast.ts';
import { ArrayList, EntryMap, GrowingList, GrowingMap } from './collections.ts';
import type { Evaluate, Frame, Journal, JournalEntry } from './frame.ts';
import { resumable } from './frame.ts';
import type { Plan, Planner } from './plan.ts';
import { goTypeName } from './show.ts';
import type { Value } from './values.ts';
import { CelError, CelList, CelMap } from './values.ts';

/** Compiles a comprehension: a loop over slots of the frame. */
export function planFold(planner: Planner, expr: ComprehensionExpr): Evaluate {
  const initial = planner.plan(expr.init);
  const range = planner.emit(expr.range);
  const slot = planner.slotCount;
  planner.slotCount += 3;
  const isConstant = initial.kind === 'constant';
  const init = makeInit(initial, planner);
  const accumulator = isConstant ? { name: expr.accumulator, slot } : { name: expr.accumulator, slot, init };
  const variables = [
    { name: expr.variable, slot: slot + 1 },
    { name: expr.variable2, slot: slot + 2 },
  ];
  const loop = planner.declare([accumulator], () => {
    const body = planner.declare(variables, () => ({ condition: planner.emit(expr.condition), step: planner.emit(expr.step) }));
    return { ...body, result: planner.emit(expr.result), slot };
  });
  const start = (frame: Frame): void => {
    frame.slots[slot] = isConstant ? init(frame) : undefined;
  };
  const isOverEntries = expr.variable2 !== '';
  if (planner.isResumable) return resumable(resumableFold(range, start, loop, isOverEntries));
  const iterate = isOverEntries ? foldEntries : foldValues;
  return (frame) => {
    const over = range(frame);
    if (over instanceof CelError) return over;
    start(frame);
    const failure = iterate(frame, over, loop);
    return failure ?? settle(loop.result(frame));
  };
}

interface Loop {
  readonly slot: number;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
}

/** Empty collections start growing in place: no other reference to them exists yet. */
function makeInit(initial: Plan, planner: Planner): Evaluate {
  const run = planner.close(initial);
  return (frame) => {
    const value = run(frame);
    if (value instanceof CelList && value.length === 0) return new GrowingList([]);
    return value instanceof CelMap && value.size === 0 ? new GrowingMap() : value;
  };
}

function settle(value: Value): Value {
  if (value instanceof GrowingList) return new ArrayList(value.items);
  if (value instanceof GrowingMap) return new EntryMap(value.keys().map((key) => [key, value.find(key)!]));
  return value;
}

/** One turn of the loop; false ends it. */
function turn(frame: Frame, loop: Loop): boolean {
  if (loop.condition(frame) === false) return false;
  frame.slots[loop.slot] = loop.step(frame);
  return true;
}

function foldValues(frame: Frame, over: Value, loop: Loop): CelError | undefined {
  if (over instanceof CelList) {
    for (let i = 0; i < over.length; i++) {
      frame.slots[loop.slot + 1] = over.at(i);
      if (!turn(frame, loop)) return undefined;
    }
    return undefined;
  }
  if (!(over instanceof CelMap)) return notIterable(over);
  for (const key of over.keys()) {
    frame.slots[loop.slot + 1] = key;
    if (!turn(frame, loop)) return undefined;
  }
  return undefined;
}

function foldEntries(frame: Frame, over: Value, loop: Loop): CelError | undefined {
  if (over instanceof CelList) {
    for (let i = 0; i < over.length; i++) {
      frame.slots[loop.slot + 1] = i;
      frame.slots[loop.slot + 2] = over.at(i);
      if (!turn(frame, loop)) return undefined;
    }
    return undefined;
  }
  if (!(over instanceof CelMap)) return notIterableByEntry(over);
  for (const key of over.keys()) {
    frame.slots[loop.slot + 1] = key;
    frame.slots[loop.slot + 2] = over.find(key)!;
    if (!turn(frame, loop)) return undefined;
  }
  return undefined;
}

const notIterable = (over: Value): CelError => new CelError(`got '${goTypeName(over)}', expected iterable type`);
const notIterableByEntry = (over: Value): CelError => new CelError(`unsupported comprehension range type: ${goTypeName(over)}`);

/** Where a loop is: its accumulator and its variables stay in their slots. */
class LoopPlace implements JournalEntry {
  readonly value: CelList | CelMap;
  readonly keys: readonly Value[] | undefined;
  readonly length: number;
  /** of the turn that is under way; of the result, when there are no more */
  readonly journal: Journal = new Map();
  index = 0;
  cost: number;

  constructor(over: CelList | CelMap, cost: number) {
    this.value = over;
    this.keys = over instanceof CelMap ? over.keys() : undefined;
    this.length = over instanceof CelMap ? this.keys!.length : over.length;
    this.cost = cost;
  }

  /** The next turn begins here, or the result. */
  advance(index: number, cost: number): void {
    this.index = index;
    this.cost = cost;
    this.journal.clear();
  }
}

/** The same loop, which can be left between any two of its turns, and calls within them, and entered again. */
function resumableFold(range: Evaluate, start: (frame: Frame) => void, loop: Loop, isOverEntries: boolean): Evaluate {
  return (frame) => {
    const journal = frame.journal!;
    let place = journal.get(loop) as LoopPlace | undefined;
    if (place === undefined) {
      const over = range(frame);
      if (over instanceof CelError) return over;
      start(frame);
      if (!(over instanceof CelList || over instanceof CelMap)) return isOverEntries ? notIterableByEntry(over) : notIterable(over);
      place = new LoopPlace(over, frame.cost);
      journal.set(loop, place);
    }
    frame.cost = place.cost;
    frame.journal = place.journal;
    while (place.index < place.length) {
      setVariables(frame, loop, place, isOverEntries);
      const goesOn = turn(frame, loop);
      place.advance(goesOn ? place.index + 1 : place.length, frame.cost);
      frame.pause();
    }
    const result = settle(loop.result(frame));
    frame.journal = journal;
    journal.delete(loop);
    return result;
  };
}

function setVariables({ slots }: Frame, { slot }: Loop, { value, keys, index }: LoopPlace, isOverEntries: boolean): void {
  const key = keys === undefined ? index : keys[index]!;
  const element = (): Value => (value instanceof CelList ? value.at(index) : value.find(key)!);
  slots[slot + 1] = isOverEntries || keys !== undefined ? key : element();
  if (isOverEntries) slots[slot + 2] = element();
}
