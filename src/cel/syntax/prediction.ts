// Upstream: github.com/antlr4-go/antlr/v4/parser_atn_simulator.go, github.com/antlr4-go/antlr/v4/ll1_analyzer.go

import type { Automaton, State, Transition } from './grammar.ts';
import type { Token, TokenKind } from './lexer.ts';

/** States to return to, innermost first. */
interface Stack {
  readonly top: State;
  readonly rest: Stack | undefined;
  readonly key: string;
}

interface Config {
  readonly state: State;
  readonly alt: number;
  readonly stack: Stack | undefined;
  /** Whether the path has left the rule in which the decision is made. */
  readonly isOutside: boolean;
}

const push = (top: State, rest: Stack | undefined): Stack => ({ top, rest, key: `${top.id},${rest?.key ?? ''}` });
const keyOf = (config: Config): string => `${config.state.id}/${config.alt}/${config.stack?.key ?? ''}`;

export class NoViableAlternative {
  readonly start: Token;
  readonly offending: Token;

  constructor(start: Token, offending: Token) {
    this.start = start;
    this.offending = offending;
  }
}

/** Decisions found before, by the kinds of the tokens they took. */
interface Memory {
  readonly next: Map<TokenKind, Memory>;
  found: number | 'conflict' | undefined;
}

/** Tokens that can come next within a rule, and whether the rule can be over. */
interface Next {
  readonly tokens: ReadonlySet<TokenKind>;
  readonly end: boolean;
}

/** Decides between alternatives by running through the automaton with the tokens ahead. */
export class Predictor {
  readonly #automaton: Automaton;
  readonly #next = new Map<State, Next>();
  readonly #memory = new Map<string, Memory>();

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  /** The alternative, counted from one. First without, then with the rules that called this one. */
  predict(
    decision: State,
    tokens: readonly Token[],
    at: number,
    callers: readonly State[],
    precedence: number,
  ): number | NoViableAlternative {
    const local = this.#recall(decision, precedence, tokens, at) ?? this.#simulateLocally(decision, tokens, at, precedence);
    if (local !== 'conflict') return local;
    let stack: Stack | undefined;
    for (const caller of callers) stack = push(caller, stack);
    const full = this.#simulate(decision, tokens, at, stack, precedence, true).result;
    return full === 'conflict' ? 1 : full;
  }

  /** What was found before for the same tokens: without its callers a decision depends on nothing else. */
  #recall(decision: State, precedence: number, tokens: readonly Token[], at: number): number | 'conflict' | undefined {
    let node = this.#memory.get(`${decision.id}/${precedence}`);
    for (let i = at; node && node.found === undefined; i++) node = node.next.get((tokens[i] ?? tokens.at(-1)!).kind);
    return node?.found;
  }

  #simulateLocally(decision: State, tokens: readonly Token[], at: number, precedence: number): number | NoViableAlternative | 'conflict' {
    const { result, end } = this.#simulate(decision, tokens, at, undefined, precedence, false);
    if (result instanceof NoViableAlternative || end >= tokens.length - 1) return result;
    const key = `${decision.id}/${precedence}`;
    let node: Memory = this.#memory.get(key) ?? { next: new Map(), found: undefined };
    this.#memory.set(key, node);
    for (let i = at; i <= end; i++) {
      const next: Memory = node.next.get(tokens[i]!.kind) ?? { next: new Map(), found: undefined };
      node.next.set(tokens[i]!.kind, next);
      node = next;
    }
    node.found = result;
    return result;
  }

  #simulate(
    decision: State,
    tokens: readonly Token[],
    start: number,
    outer: Stack | undefined,
    precedence: number,
    isFull: boolean,
  ): { result: number | NoViableAlternative | 'conflict'; end: number } {
    let configs = new Map<string, Config>();
    decision.transitions.forEach((transition, i) => {
      const target = (transition as Transition & { kind: 'epsilon' }).to;
      this.#close({ state: target, alt: i + 1, stack: outer, isOutside: false }, configs, isFull, outer, precedence);
    });
    for (let at = start; ; at = Math.min(at + 1, tokens.length - 1)) {
      const token = tokens[at]!;
      const reached = new Map<string, Config>();
      for (const config of configs.values()) {
        for (const transition of config.state.transitions) {
          if (transition.kind === 'tokens' && transition.tokens.has(token.kind))
            this.#close({ ...config, state: transition.to }, reached, isFull, outer, undefined);
        }
        if (token.kind === 'eof' && config.state.kind === 'ruleStop' && config.state.rule === 'start') reached.set(keyOf(config), config);
      }
      if (reached.size === 0) return { result: finishedAlternative(configs) ?? new NoViableAlternative(tokens[start]!, token), end: at };
      const alternatives = new Set([...reached.values()].map((config) => config.alt));
      if (alternatives.size === 1) return { result: [...alternatives][0]!, end: at };
      const subsets = conflictingSubsets(reached);
      if (isFull) {
        const smallest = new Set(subsets.map((subset) => Math.min(...subset)));
        if (smallest.size === 1) return { result: [...smallest][0]!, end: at };
      } else if (allFinished(reached) || (subsets.some((subset) => subset.size > 1) && !hasUniqueState(reached))) {
        return { result: 'conflict', end: at };
      }
      configs = reached;
    }
  }

  #close(config: Config, into: Map<string, Config>, isFull: boolean, outer: Stack | undefined, precedence: number | undefined): void {
    const key = keyOf(config);
    if (into.has(key)) return;
    into.set(key, config);
    const { state } = config;
    if (state.kind === 'ruleStop') {
      this.#leaveRule(config, into, isFull, outer);
      return;
    }
    for (const transition of state.transitions) {
      if (transition.kind === 'epsilon') this.#close({ ...config, state: transition.to }, into, isFull, outer, precedence);
      else if (transition.kind === 'level') {
        // Only the rule in which the decision is made knows its precedence.
        if (precedence === undefined || transition.level >= precedence)
          this.#close({ ...config, state: transition.to }, into, isFull, outer, precedence);
      } else if (transition.kind === 'rule') {
        const start = this.#automaton.starts.get(transition.rule)!;
        this.#close({ ...config, state: start, stack: push(transition.follow, config.stack) }, into, isFull, outer, undefined);
      }
    }
  }

  #leaveRule(config: Config, into: Map<string, Config>, isFull: boolean, outer: Stack | undefined): void {
    if (config.stack) {
      const isOutside = config.isOutside || config.stack === outer;
      this.#close({ ...config, state: config.stack.top, stack: config.stack.rest, isOutside }, into, isFull, outer, undefined);
      return;
    }
    if (isFull) return;
    for (const follow of this.#automaton.follows.get(config.state.rule) ?? [])
      this.#close({ ...config, state: follow, isOutside: true }, into, isFull, outer, undefined);
  }

  /** Tokens that can come next within the rule; `end` when the rule can be over. */
  nextWithin(state: State): Next {
    const known = this.#next.get(state);
    if (known) return known;
    const next = this.#computeNext(state);
    this.#next.set(state, next);
    return next;
  }

  #computeNext(state: State): Next {
    const tokens = new Set<TokenKind>();
    const seen = new Set<State>();
    const visit = (at: State): boolean => {
      if (at.kind === 'ruleStop') return true;
      if (seen.has(at)) return false;
      seen.add(at);
      let end = false;
      for (const transition of at.transitions) {
        if (transition.kind === 'tokens') for (const kind of transition.tokens) tokens.add(kind);
        else if (transition.kind === 'rule') {
          const inner = this.nextWithin(this.#automaton.starts.get(transition.rule)!);
          for (const kind of inner.tokens) tokens.add(kind);
          if (inner.end) end = visit(transition.follow) || end;
        } else end = visit(transition.to) || end;
      }
      return end;
    };
    return { end: visit(state), tokens };
  }
}

function conflictingSubsets(configs: ReadonlyMap<string, Config>): Set<number>[] {
  const stacks = new Map<string, Set<string>>();
  for (const { state, alt, stack } of configs.values()) {
    const key = `${state.id}/${alt}`;
    stacks.set(key, (stacks.get(key) ?? new Set()).add(stack?.key ?? ''));
  }
  const subsets = new Map<string, Set<number>>();
  for (const [key, contexts] of stacks) {
    const [id, alt] = key.split('/') as [string, string];
    const group = `${id}/${[...contexts].sort().join('|')}`;
    subsets.set(group, (subsets.get(group) ?? new Set()).add(Number(alt)));
  }
  return [...subsets.values()];
}

const allFinished = (configs: ReadonlyMap<string, Config>): boolean =>
  [...configs.values()].every(({ state }) => state.kind === 'ruleStop');

function hasUniqueState(configs: ReadonlyMap<string, Config>): boolean {
  const alternatives = new Map<State, Set<number>>();
  for (const { state, alt } of configs.values()) alternatives.set(state, (alternatives.get(state) ?? new Set()).add(alt));
  return [...alternatives.values()].some((alts) => alts.size === 1);
}

/** When nothing goes on, an alternative that already left the rule is good enough. */
function finishedAlternative(configs: ReadonlyMap<string, Config>): number | undefined {
  const finished = [...configs.values()].filter(({ state, stack, isOutside }) => isOutside || (state.kind === 'ruleStop' && !stack));
  return finished.length === 0 ? undefined : Math.min(...finished.map(({ alt }) => alt));
}
