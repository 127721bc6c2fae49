import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue, validateConditions } from './conditions.ts';
import { FieldPath } from './field.ts';

const path = FieldPath.root('status', 'conditions');
const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z', reason: 'Ok', message: '' };

test('validateConditions() accepts a complete condition', () => {
  assert.deepEqual(validateConditions([ready], path), []);
  assert.deepEqual(validateConditions(undefined, path), []);
  assert.ok(isConditionTrue([ready], 'Ready'));
  assert.ok(!isConditionTrue([ready], 'Other'));
});

test('validateConditions() reports on each field', () => {
  const shown = validateConditions([{ type: '', status: '', reason: '', message: '' }, ready, ready], path).map(String);
  assert.deepEqual(shown, [
    'status.conditions[0].type: Required value: is required',
    'status.conditions[0].status: Required value',
    'status.conditions[0].lastTransitionTime: Required value',
    'status.conditions[0].reason: Required value',
    'status.conditions[2]: Duplicate value: "Ready"',
  ]);
  const bad = { ...ready, status: 'Maybe', observedGeneration: -1, reason: '1x', message: 'm'.repeat(32769) };
  assert.deepEqual(validateConditions([bad], path).map(String), [
    'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    'status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
    "status.conditions[0].reason: Invalid value: \"1x\": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
    'status.conditions[0].message: Too long: may not be more than 32768 bytes',
  ]);
});
