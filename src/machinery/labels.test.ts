import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from './field.ts';
import {
  formatLabelSelector,
  hasInvalidLabelValue,
  selectorOf,
  validateFieldSelectorRequirement,
  validateLabelSelector,
} from './label-selector.ts';
import { parseLabelSelector } from './label-parser.ts';
import { Requirement, Selector } from './labels.ts';

const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

test('parseLabelSelector() reads the full grammar and writes it in canonical form', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['', ''],
    ['   ', ''],
    ['b=1,a==2', 'a==2,b=1'],
    ['x in (b, a,,)', 'x in (,a,b)'],
    ['x in ()', 'x in ()'],
    ['x in (,)', 'x in ()'],
    ['x notin (a)', 'x notin (a)'],
    ['x', 'x'],
    [' ! x ', '!x'],
    ['x!=', 'x!='],
    ['x=,y', 'x=,y'],
    ['x>1,y<2', 'x>1,y<2'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['notin=in', 'notin=in'],
  ];
  for (const [text, written] of cases) assert.equal(parseLabelSelector(text).toString(), written, text);
});

test('parseLabelSelector() refuses with the words of upstream', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['=x', "found '=', expected: !, identifier, or 'end of string'"],
    ['x,', "found '', expected: identifier after ','"],
    ['x y', "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
    ['x in a', "unable to parse requirement: found 'a' expected: '('"],
    ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['x in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['x in (a,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['x==(a)', "unable to parse requirement: found '(', expected: identifier"],
    ['!x=1', "found '=', expected: ',' or 'end of string'"],
    ['!!x', "unable to parse requirement: found '!', expected: identifier"],
    ['x=a=b', "found '=', expected: ',' or 'end of string'"],
    ['x>a', "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer"],
    ['-x', `unable to parse requirement: <nil>: Invalid value: "-x": name part ${keyRule}`],
    [
      'x=-',
      "unable to parse requirement: values[0][x]: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ];
  for (const [text, message] of cases) assert.throws(() => parseLabelSelector(text), { message }, text);
});

test('a selector matches labels', () => {
  const labels = { app: 'web', n: '5' };
  const cases: readonly (readonly [string, boolean])[] = [
    ['', true],
    ['app', true],
    ['!app', false],
    ['constructor', false],
    ['app=web,n=5', true],
    ['app!=web', false],
    ['other!=x', true],
    ['app in (web,db)', true],
    ['app notin (web)', false],
    ['other notin (web)', true],
    ['n>4', true],
    ['n<5', false],
    ['app>1', false],
  ];
  for (const [text, matches] of cases) assert.equal(parseLabelSelector(text).matches(labels), matches, text);
  assert.equal(Selector.nothing.matches(labels), false);
  assert.equal(Selector.nothing.isEmpty, false);
  assert.equal(parseLabelSelector('a in (b)').exactMatch('a'), 'b');
  assert.equal(parseLabelSelector('a!=b').exactMatch('a'), undefined);
  assert.equal(
    Selector.fromLabels({ b: '1', a: '2' })
      .and(new Requirement('c', 'exists', []))
      .toString(),
    'a=2,b=1,c',
  );
});

test('selectorOf() translates a LabelSelector', () => {
  const selector = { matchLabels: { b: 'x' }, matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['2', '1'] }] };
  assert.equal(selectorOf(selector).toString(), 'a notin (1,2),b=x');
  assert.equal(selectorOf(undefined), Selector.nothing);
  assert.equal(selectorOf({}), Selector.everything);
  assert.throws(() => selectorOf({ matchExpressions: [{ key: 'a', operator: 'Gt' }] }), {
    message: '"Gt" is not a valid label selector operator',
  });
  assert.throws(() => selectorOf({ matchExpressions: [{ key: 'a', operator: 'In' }] }), {
    message: "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
  });
  assert.equal(formatLabelSelector({}), '<none>');
  assert.equal(formatLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Gt' }] }), '<error>');
});

test('validateLabelSelector() reports on each field', () => {
  const path = FieldPath.root('spec', 'selector');
  const selector = {
    matchLabels: { a: '-' },
    matchExpressions: [
      { key: 'a', operator: 'In' },
      { key: 'a', operator: 'Exists', values: ['x'] },
      { key: 'a', operator: 'Gt', values: ['-'] },
    ],
  };
  const shown = validateLabelSelector(selector, path).map(String);
  assert.match(shown[0]!, /^spec\.selector\.matchLabels: Invalid value: "-": a valid label must/);
  assert.deepEqual(shown.slice(1, 4), [
    "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    'spec.selector.matchExpressions[2].operator: Invalid value: "Gt": not a valid selector operator',
  ]);
  assert.match(shown[4]!, /^spec\.selector\.matchExpressions\[2\]\.values\[0\]: Invalid value: "-"/);
  assert.ok(hasInvalidLabelValue(selector));
  assert.equal(validateLabelSelector(selector, path, { allowInvalidLabelValue: true, allowUnknownOperator: true }).length, 3);
  assert.deepEqual(validateFieldSelectorRequirement({ key: '', operator: 'Exists' }, path).map(String), [
    'spec.selector.key: Required value: must be specified',
  ]);
});

test('a selector of more words than anybody writes is refused', () => {
  const setOf = (count: number): string => `a in (${Array.from({ length: count }, (_, index) => `v${index}`).join(',')})`;
  assert.equal(parseLabelSelector(setOf(20_000)).matches({ a: 'v19999' }), true);
  assert.throws(() => parseLabelSelector(setOf(30_000)), /must have at most 50000 words and signs/);
});
