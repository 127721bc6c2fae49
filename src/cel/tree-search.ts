// Upstream: std/regexp

import { RE2JS } from 're2js';
import type { Assertion, PatternNode } from './pattern-tree.ts';
import { setEffort } from './pattern-tree.ts';

/** Thrown by a search that has taken as many steps as it may. */
export class TooLongSearchError extends Error {
  override readonly name = 'TooLongSearchError';
}

/** A search cannot be interrupted, and this is about a twentieth of a second. */
const mostSteps = 300_000;
/** What it takes, in steps, to make a state, to make a set of characters, and beside that for what is in it. */
const stepsOf = { state: 4, set: 300, setEffort: 20 };
/** States that are kept for the next search. */
const mostKept = 512;

/**
 * Where a search may be in a pattern: what is to be matched next, and what after that. The state after so many rounds of a repetition is
 * made when a search gets there: of `a{1,1000}` the text `aab` needs three.
 */
class State {
  /** undefined: all is matched */
  readonly node: PatternNode | undefined;
  /** parts of a sequence that are matched, rounds of a repetition that are made */
  readonly done: number;
  readonly next: State | undefined;
  /** the last place in the text where it was met */
  met = -1;
  /** Most states are only ever reached from one before them. */
  #only: State | undefined;
  #others: Map<PatternNode, Map<number, State>> | undefined;

  constructor(node: PatternNode | undefined, done: number, next: State | undefined) {
    this.node = node;
    this.done = done;
    this.next = next;
  }

  /** The one state in which `node` is to be matched before this. */
  before(node: PatternNode, done: number, budget: Budget): State {
    if (this.#only?.node === node && this.#only.done === done) return this.#only;
    const known = this.#others?.get(node)?.get(done);
    if (known !== undefined) return known;
    budget.spend(stepsOf.state);
    budget.states++;
    const state = new State(node, done, this);
    if (this.#only === undefined) return (this.#only = state);
    this.#others ??= new Map();
    let states = this.#others.get(node);
    if (states === undefined) this.#others.set(node, (states = new Map()));
    states.set(done, state);
    return state;
  }
}

type CharacterNode = PatternNode & { readonly kind: 'character' };

/** States that are tried at once, the first of them first, and where each has begun. */
interface Threads {
  readonly states: State[];
  readonly starts: number[];
}

/** A place in the text; `mark`: in states that were met there */
interface Place {
  readonly text: string;
  readonly at: number;
  readonly mark: number;
  readonly budget: Budget;
}

export interface Found {
  readonly start: number;
  readonly end: number;
}

/** Searches with a pattern as it was read, for patterns that are much larger once compiled. */
export class TreeSearch {
  readonly #root: PatternNode;
  readonly #characters = new Map<CharacterNode, CharacterTest>();
  readonly #bySource = new Map<string, CharacterTest>();
  #end = new State(undefined, 0, undefined);
  #kept = 0;
  #places = 0;

  constructor(root: PatternNode) {
    this.#root = root;
  }

  /** The leftmost match at or after `from`; of those that begin there, the one that is tried first. */
  find(text: string, from = 0, budget = new Budget(), isAny = false): Found | undefined {
    try {
      return this.#find(text, from, budget, isAny);
    } finally {
      this.#kept += budget.states;
      budget.states = 0;
      if (this.#kept > mostKept) [this.#end, this.#kept] = [new State(undefined, 0, undefined), 0];
    }
  }

  #find(text: string, from: number, budget: Budget, isAny: boolean): Found | undefined {
    const first = this.#end.before(this.#root, 0, budget);
    let found: Found | undefined;
    let threads: Threads = { states: [], starts: [] };
    for (let at = from; ;) {
      const here: Threads = { states: [], starts: [] };
      const place: Place = { text, at, mark: ++this.#places, budget };
      // The first that has matched all of the pattern wins over all that are tried later.
      const winner = threads.states.findIndex((state, index) => this.#enter(state, threads.starts[index]!, place, here));
      if (winner >= 0) found = { start: threads.starts[winner]!, end: at };
      else if (found === undefined && this.#enter(first, at, place, here)) found = { start: at, end: at };
      if (at >= text.length || (found !== undefined && (isAny || here.states.length === 0))) return found;
      const character = text.codePointAt(at)!;
      at += character > 0xffff ? 2 : 1;
      threads = { states: [], starts: [] };
      for (let index = 0; index < here.states.length; index++) {
        const { node, next } = here.states[index]!;
        if (!this.#holds(node as CharacterNode, character, budget)) continue;
        threads.states.push(next!);
        threads.starts.push(here.starts[index]!);
      }
    }
  }

  /** Adds the states that wait for a character; true: all is matched, and what would be tried after that is left out. */
  #enter(first: State, start: number, { text, at, mark, budget }: Place, here: Threads): boolean {
    const waiting = [first];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (state.met === mark) continue;
      state.met = mark;
      budget.spend(1);
      const { node, done } = state;
      if (node === undefined) return true;
      const next = state.next!;
      switch (node.kind) {
        case 'character':
          here.states.push(state);
          here.starts.push(start);
          break;
        case 'assertion':
          if (holdsAt(node.at, text, at)) waiting.push(next);
          break;
        case 'choice':
          for (let index = node.parts.length - 1; index >= 0; index--) waiting.push(next.before(node.parts[index]!, 0, budget));
          budget.spend(node.parts.length);
          break;
        case 'sequence': {
          const part = node.parts[done];
          const then = done + 1 < node.parts.length ? next.before(node, done + 1, budget) : next;
          waiting.push(part === undefined ? next : then.before(part, 0, budget));
          break;
        }
        case 'repeat': {
          const { part, min, max, isGreedy, rounds } = node;
          if (done >= max) {
            waiting.push(next);
            break;
          }
          const again = next.before(node, Math.min(done + 1, rounds), budget).before(part, 0, budget);
          if (done < min) waiting.push(again);
          else if (isGreedy) waiting.push(next, again);
          else waiting.push(again, next);
          break;
        }
      }
    }
    return false;
  }

  #holds(node: CharacterNode, character: number, budget: Budget): boolean {
    let test = this.#characters.get(node);
    if (test === undefined) {
      const { source, isFolded } = node;
      const key = `${isFolded ? '(?i)' : ''}${source}`;
      test = this.#bySource.get(key);
      if (test === undefined) this.#bySource.set(key, (test = characterTest(source, isFolded, budget)));
      this.#characters.set(node, test);
    }
    return test(character);
  }
}

/** What a call may take. */
export class Budget {
  #left = mostSteps;
  /** that were made */
  states = 0;

  spend(steps: number): void {
    if ((this.#left -= steps) < 0) throw new TooLongSearchError();
  }
}

type CharacterTest = (character: number) => boolean;

function characterTest(source: string, isFolded: boolean, budget: Budget): CharacterTest {
  const only = source.codePointAt(0)!;
  const isLiteral = source.length === (only > 0xffff ? 2 : 1) && source !== '.';
  if (isLiteral && !isFolded) return (character) => character === only;
  budget.spend(stepsOf.set + stepsOf.setEffort * setEffort(source, isFolded));
  const set = RE2JS.compile(`${isFolded ? '(?i)' : ''}${source}`);
  const ascii: boolean[] = [];
  return (character) => {
    const holds = ascii[character];
    if (holds !== undefined) return holds;
    const isHeld = set.testExact(String.fromCodePoint(character));
    if (character < 128) ascii[character] = isHeld;
    return isHeld;
  };
}

function holdsAt(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case 'text start':
      return at === 0;
    case 'text end':
      return at === text.length;
    case 'line start':
      return at === 0 || text.charAt(at - 1) === '\n';
    case 'line end':
      return at === text.length || text.charAt(at) === '\n';
    case 'word boundary':
      return isWord(text, at - 1) !== isWord(text, at);
    case 'no word boundary':
      return isWord(text, at - 1) === isWord(text, at);
  }
}

const isWord = (text: string, at: number): boolean => /^\w$/.test(text.charAt(at));
