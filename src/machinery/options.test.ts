import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as options from './options.ts';

const query = (text: string): URLSearchParams => new URLSearchParams(text);
const status = (message: string, code: number): { message: string; code: number } => ({ message, code });

test('decodeListOptions() reads parameters and ignores unknown ones', () => {
  const list = options.decodeListOptions(query('labelSelector=a%3Db&limit=5&watch=&x=y&timeoutSeconds=7&resourceVersion=3'));
  assert.equal(String(list.labelSelector), 'a=b');
  assert.equal(list.limit, 5);
  assert.equal(list.watch, true);
  assert.equal(list.timeoutSeconds, 7);
  assert.equal(options.decodeListOptions(query('watch=0')).watch, false);
  assert.equal(options.decodeListOptions(query('watch=False')).watch, false);
});

test('decodeListOptions() makes a watch from no revision start with the present state', () => {
  const watch = options.decodeListOptions(query('watch=1'));
  assert.deepEqual([watch.sendInitialEvents, watch.resourceVersionMatch], [true, 'NotOlderThan']);
  assert.equal(options.decodeListOptions(query('watch=1&resourceVersion=5')).sendInitialEvents, undefined);
  assert.equal(options.decodeListOptions(query('watch=1'), { watchList: false }).sendInitialEvents, undefined);
});

test('decodeListOptions() refuses what upstream refuses', () => {
  const invalid = 'ListOptions.meta.k8s.io "" is invalid: ';
  const cases: readonly (readonly [string, string, number])[] = [
    ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax', 400],
    ['limit=', 'strconv.ParseInt: parsing "": invalid syntax', 400],
    ['timeoutSeconds=99999999999999999999', 'strconv.ParseInt: parsing "99999999999999999999": value out of range', 400],
    ['labelSelector=,', "found ',', expected: !, identifier, or 'end of string'", 400],
    ['fieldSelector=a', "invalid selector: 'a'; can't understand 'a'", 400],
    [
      'resourceVersionMatch=Exact',
      `${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided`,
      422,
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      `${invalid}resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`,
      422,
    ],
    [
      'resourceVersionMatch=X&resourceVersion=1&continue=c',
      `${invalid}[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided, resourceVersionMatch: Unsupported value: "X": supported values: "Exact", "NotOlderThan", ""]`,
      422,
    ],
    ['sendInitialEvents=true', `${invalid}sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list`, 422],
    [
      'watch=1&sendInitialEvents=true',
      `${invalid}resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
      422,
    ],
    [
      'watch=1&resourceVersionMatch=Exact',
      `${invalid}[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]`,
      422,
    ],
  ];
  for (const [text, message, code] of cases) assert.throws(() => options.decodeListOptions(query(text)), status(message, code), text);
});

test('write options are checked as upstream checks them', () => {
  const cases: readonly (readonly [() => unknown, string])[] = [
    [
      () => options.decodeCreateOptions(query('dryRun=x')),
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
    ],
    [
      () => options.decodeUpdateOptions(query('fieldValidation=x')),
      'UpdateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    [
      () => options.decodePatchOptions(query(''), 'application/apply-patch+yaml'),
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [
      () => options.decodePatchOptions(query('force=true'), 'application/merge-patch+json'),
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ],
    [
      () => options.decodeDeleteOptions(query('propagationPolicy=x')),
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      () => options.decodeDeleteOptions(query('propagationPolicy=Orphan&orphanDependents=true')),
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      () => options.checkDeleteOptions({ ignoreStoreReadErrorWithClusterBreakingPotential: true, gracePeriodSeconds: 0 }),
      'DeleteOptions.meta.k8s.io "" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .gracePeriodSeconds',
    ],
    [
      () => options.decodeTableOptions(query('includeObject=x')),
      "Unable to convert to Table as requested: includeObject: Invalid value: \"x\": must be 'Metadata', 'Object', 'None', or empty",
    ],
  ];
  for (const [decode, message] of cases) assert.throws(decode, { message });
});

test('decodeDeleteOptions() takes preconditions from the query', () => {
  assert.deepEqual(options.decodeDeleteOptions(query('uid=u&resourceVersion=3&gracePeriodSeconds=0&dryRun=All')), {
    gracePeriodSeconds: 0,
    preconditions: { uid: 'u', resourceVersion: '3' },
    dryRun: ['All'],
  });
  assert.deepEqual(options.decodeDeleteOptions(query('')), {});
});
