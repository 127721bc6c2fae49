// Upstream: github.com/google/cel-go/interpreter/interpretable.go#evalFold, #folder

import type { ComprehensionExpr } from './ast.ts';
import { ArrayList, EntryMap, GrowingList, GrowingMap } from './collections.ts';
import type { Evaluate, Frame } from './frame.ts';
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
  const iterate = expr.variable2 === '' ? foldValues : foldEntries;
  return (frame) => {
    const over = range(frame);
    if (over instanceof CelError) return over;
    frame.slots[slot] = isConstant ? init(frame) : undefined;
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
  frame.iterate();
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
  if (!(over instanceof CelMap)) return new CelError(`got '${goTypeName(over)}', expected iterable type`);
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
  if (!(over instanceof CelMap)) return new CelError(`unsupported comprehension range type: ${goTypeName(over)}`);
  for (const key of over.keys()) {
    frame.slots[loop.slot + 1] = key;
    frame.slots[loop.slot + 2] = over.find(key)!;
    if (!turn(frame, loop)) return undefined;
  }
  return undefined;
}
