// Upstream: github.com/google/cel-go/parser/macro.go

import type { Expr } from '../ast.ts';
import { accumulatorName, oldAccumulator } from '../ast.ts';
import type { Macro, MacroExpansion, NodeBuilder } from '../builder.ts';
import { MacroError } from '../builder.ts';

/** The name that an iteration variable declares, or what is wrong with it. */
function iterationVariable(arg: Expr, complaint: string): string | MacroError {
  if (arg.kind !== 'ident') return new MacroError(arg, complaint);
  if (arg.name === accumulatorName || arg.name === oldAccumulator)
    return new MacroError(arg, 'iteration variable overwrites accumulator variable');
  return arg.name;
}

type Quantifier = (build: NodeBuilder, predicate: Expr) => { init: Expr; condition: Expr; step: Expr; result: Expr };

const all: Quantifier = (build, predicate) => ({
  init: build.literal(true),
  condition: build.call('@not_strictly_false', build.accumulator()),
  step: build.call('_&&_', build.accumulator(), predicate),
  result: build.accumulator(),
});

const exists: Quantifier = (build, predicate) => ({
  init: build.literal(false),
  condition: build.call('@not_strictly_false', build.call('!_', build.accumulator())),
  step: build.call('_||_', build.accumulator(), predicate),
  result: build.accumulator(),
});

const existsOne: Quantifier = (build, predicate) => ({
  init: build.literal(0),
  condition: build.literal(true),
  step: build.call('_?_:_', predicate, build.call('_+_', build.accumulator(), build.literal(1)), build.accumulator()),
  result: build.call('_==_', build.accumulator(), build.literal(1)),
});

function quantify(quantifier: Quantifier): Macro['expand'] {
  return (build, target, [variableArg, predicate]) => {
    const variable = iterationVariable(variableArg!, 'argument must be a simple name');
    if (variable instanceof MacroError) return variable;
    return build.fold(target!, [variable], accumulatorName, quantifier(build, predicate!));
  };
}

function expandMap(build: NodeBuilder, target: Expr | undefined, args: readonly Expr[]): MacroExpansion {
  const variable = iterationVariable(args[0]!, 'argument is not an identifier');
  if (variable instanceof MacroError) return variable;
  const filter = args.length === 3 ? args[1]! : undefined;
  const init = build.list();
  const condition = build.literal(true);
  let step = build.call('_+_', build.accumulator(), build.list(args[args.length - 1]!));
  if (filter) step = build.call('_?_:_', filter, step, build.accumulator());
  return build.fold(target!, [variable], accumulatorName, { init, condition, step, result: build.accumulator() });
}

function expandFilter(build: NodeBuilder, target: Expr | undefined, args: readonly Expr[]): MacroExpansion {
  const variable = iterationVariable(args[0]!, 'argument is not an identifier');
  if (variable instanceof MacroError) return variable;
  const init = build.list();
  const condition = build.literal(true);
  const appended = build.call('_+_', build.accumulator(), build.list(args[0]!));
  const step = build.call('_?_:_', args[1]!, appended, build.accumulator());
  return build.fold(target!, [variable], accumulatorName, { init, condition, step, result: build.accumulator() });
}

function expandHas(build: NodeBuilder, _target: Expr | undefined, [arg]: readonly Expr[]): MacroExpansion {
  if (arg!.kind !== 'select') return new MacroError(arg!, 'invalid argument to has() macro');
  return build.presenceTest(arg!.operand, arg!.field);
}

export const standardMacros: readonly Macro[] = [
  { name: 'has', isReceiver: false, argCount: 1, expand: expandHas },
  { name: 'all', isReceiver: true, argCount: 2, expand: quantify(all) },
  { name: 'exists', isReceiver: true, argCount: 2, expand: quantify(exists) },
  { name: 'exists_one', isReceiver: true, argCount: 2, expand: quantify(existsOne) },
  { name: 'map', isReceiver: true, argCount: 2, expand: expandMap },
  { name: 'map', isReceiver: true, argCount: 3, expand: expandMap },
  { name: 'filter', isReceiver: true, argCount: 2, expand: expandFilter },
];
