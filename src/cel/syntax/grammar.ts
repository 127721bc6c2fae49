// Upstream: github.com/google/cel-go/parser/gen/CEL.g4
// As the automaton that ANTLR makes of it.

import type { TokenKind } from './lexer.ts';

export type RuleName =
  | 'start'
  | 'expr'
  | 'conditionalOr'
  | 'conditionalAnd'
  | 'relation'
  | 'calc'
  | 'unary'
  | 'member'
  | 'primary'
  | 'exprList'
  | 'listInit'
  | 'fieldInitializerList'
  | 'optField'
  | 'mapInitializerList'
  | 'escapeIdent'
  | 'optExpr'
  | 'literal';

/** One piece of a rule. Decisions marked `ll1` look at the next token only; the others simulate the automaton. */
export type Element =
  | { readonly kind: 'tokens'; readonly tokens: ReadonlySet<TokenKind>; state: State }
  | { readonly kind: 'rule'; readonly rule: RuleName; readonly precedence: number; state: State }
  | { readonly kind: 'level'; readonly level: number }
  | { readonly kind: 'optional'; readonly body: Element[]; state: State }
  | { readonly kind: 'choice'; readonly ll1: boolean; readonly alternatives: Element[][]; state: State }
  | { readonly kind: 'star'; readonly ll1: boolean; readonly body: Element[]; state: State; loopBack: State }
  | { readonly kind: 'plus'; readonly ll1: boolean; readonly body: Element[]; state: State; loopBack: State };

export type StateKind = 'basic' | 'ruleStop' | 'blockStart' | 'loopEntry' | 'loopBack';

export interface State {
  readonly id: number;
  readonly kind: StateKind;
  readonly rule: RuleName;
  readonly transitions: Transition[];
}

export type Transition =
  | { readonly kind: 'epsilon'; readonly to: State }
  | { readonly kind: 'level'; readonly level: number; readonly to: State }
  | { readonly kind: 'tokens'; readonly tokens: ReadonlySet<TokenKind>; readonly to: State }
  | { readonly kind: 'rule'; readonly rule: RuleName; readonly follow: State };

const pending = undefined as unknown as State;

const t = (...tokens: TokenKind[]): Element => ({ kind: 'tokens', tokens: new Set(tokens), state: pending });
const r = (rule: RuleName, precedence = 0): Element => ({ kind: 'rule', rule, precedence, state: pending });
const level = (value: number): Element => ({ kind: 'level', level: value });
const opt = (...body: Element[]): Element => ({ kind: 'optional', body, state: pending });
const star = (ll1: boolean, ...body: Element[]): Element => ({ kind: 'star', ll1, body, state: pending, loopBack: pending });
const plus = (ll1: boolean, ...body: Element[]): Element => ({ kind: 'plus', ll1, body, state: pending, loopBack: pending });
const choice = (ll1: boolean, ...alternatives: Element[][]): Element => ({ kind: 'choice', ll1, alternatives, state: pending });

const rules: Readonly<Record<RuleName, Element[]>> = {
  start: [r('expr'), t('eof')],
  expr: [r('conditionalOr'), opt(t('?'), r('conditionalOr'), t(':'), r('expr'))],
  conditionalOr: [r('conditionalAnd'), star(true, t('||'), r('conditionalAnd'))],
  conditionalAnd: [r('relation'), star(true, t('&&'), r('relation'))],
  relation: [r('calc'), star(false, level(1), t('<', '<=', '>=', '>', '==', '!=', 'in'), r('relation', 2))],
  calc: [r('unary'), star(false, choice(false, [level(2), t('*', '/', '%'), r('calc', 3)], [level(1), t('+', '-'), r('calc', 2)]))],
  unary: [choice(false, [r('member')], [plus(true, t('!')), r('member')], [plus(false, t('-')), r('member')])],
  member: [
    r('primary'),
    star(
      false,
      choice(
        false,
        [level(3), t('.'), opt(t('?')), r('escapeIdent')],
        [level(2), t('.'), t('identifier'), t('('), opt(r('exprList')), t(')')],
        [level(1), t('['), opt(t('?')), r('expr'), t(']')],
      ),
    ),
  ],
  primary: [
    choice(
      false,
      [opt(t('.')), t('identifier')],
      [opt(t('.')), t('identifier'), t('('), opt(r('exprList')), t(')')],
      [t('('), r('expr'), t(')')],
      [t('['), opt(r('listInit')), opt(t(',')), t(']')],
      [t('{'), opt(r('mapInitializerList')), opt(t(',')), t('}')],
      [opt(t('.')), t('identifier'), star(true, t('.'), t('identifier')), t('{'), opt(r('fieldInitializerList')), opt(t(',')), t('}')],
      [r('literal')],
    ),
  ],
  exprList: [r('expr'), star(true, t(','), r('expr'))],
  listInit: [r('optExpr'), star(false, t(','), r('optExpr'))],
  fieldInitializerList: [r('optField'), t(':'), r('expr'), star(false, t(','), r('optField'), t(':'), r('expr'))],
  optField: [opt(t('?')), r('escapeIdent')],
  mapInitializerList: [r('optExpr'), t(':'), r('expr'), star(false, t(','), r('optExpr'), t(':'), r('expr'))],
  escapeIdent: [choice(true, [t('identifier')], [t('escaped')])],
  optExpr: [opt(t('?')), r('expr')],
  literal: [
    choice(
      false,
      [opt(t('-')), t('int')],
      [t('uint')],
      [opt(t('-')), t('float')],
      [t('string')],
      [t('bytes')],
      [t('true')],
      [t('false')],
      [t('null')],
    ),
  ],
};

export interface Automaton {
  readonly bodies: Readonly<Record<RuleName, readonly Element[]>>;
  readonly starts: ReadonlyMap<RuleName, State>;
  /** States after every use of a rule. */
  readonly follows: ReadonlyMap<RuleName, readonly State[]>;
}

function makeAutomaton(): Automaton {
  let count = 0;
  const follows = new Map<RuleName, State[]>();
  const starts = new Map<RuleName, State>();
  for (const name of Object.keys(rules) as RuleName[]) {
    const state = (kind: StateKind): State => ({ id: count++, kind, rule: name, transitions: [] });
    const start = state('basic');
    const stop = state('ruleStop');
    starts.set(name, start);
    const epsilon = (from: State, to: State): void => void from.transitions.push({ kind: 'epsilon', to });

    /** The last element leads straight to the end, so that alternatives meet in one state, as ANTLR's optimizer has it. */
    const sequence = (elements: Element[], from: State, to: State): void => {
      let at = from;
      for (const [i, element] of elements.entries()) {
        const next = i === elements.length - 1 ? to : state('basic');
        link(element, at, next);
        at = next;
      }
    };

    const block = (alternatives: Element[][], head: State, to: State): void => {
      for (const alternative of alternatives) {
        const entry = state('basic');
        epsilon(head, entry);
        sequence(alternative, entry, to);
      }
    };

    const link = (element: Element, from: State, to: State): void => {
      switch (element.kind) {
        case 'tokens':
          element.state = state('basic');
          epsilon(from, element.state);
          element.state.transitions.push({ kind: 'tokens', tokens: element.tokens, to });
          return;
        case 'rule':
          element.state = state('basic');
          epsilon(from, element.state);
          element.state.transitions.push({ kind: 'rule', rule: element.rule, follow: to });
          follows.set(element.rule, [...(follows.get(element.rule) ?? []), to]);
          return;
        case 'level':
          from.transitions.push({ kind: 'level', level: element.level, to });
          return;
        case 'optional':
          element.state = state('blockStart');
          epsilon(from, element.state);
          block([element.body], element.state, to);
          epsilon(element.state, to);
          return;
        case 'choice':
          element.state = state('blockStart');
          epsilon(from, element.state);
          block(element.alternatives, element.state, to);
          return;
        case 'star': {
          element.state = state('loopEntry');
          element.loopBack = state('loopBack');
          epsilon(from, element.state);
          block([element.body], element.state, element.loopBack);
          epsilon(element.loopBack, element.state);
          epsilon(element.state, to);
          return;
        }
        case 'plus': {
          element.state = state('blockStart');
          element.loopBack = state('loopBack');
          epsilon(from, element.state);
          block([element.body], element.state, element.loopBack);
          epsilon(element.loopBack, element.state);
          epsilon(element.loopBack, to);
        }
      }
    };
    const end = state('basic');
    sequence(rules[name], start, end);
    epsilon(end, stop);
  }
  return { bodies: rules, starts, follows };
}

export const automaton: Automaton = Object.freeze(makeAutomaton());
