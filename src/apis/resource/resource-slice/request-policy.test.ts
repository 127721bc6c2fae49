import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FieldPath } from '../../../machinery/field.ts';
import type { CapacityRequestPolicy } from '../../../schema/types/resource-v1.ts';
import { validateRequestPolicy } from './request-policy.ts';

interface Case {
  readonly what: string;
  readonly policy: CapacityRequestPolicy;
  readonly fractional?: boolean;
  readonly errors: readonly string[];
}

const capacity = '10';
const cases: readonly Case[] = [
  { what: 'no policy', policy: { default: null }, errors: [] },
  {
    what: 'two policies',
    policy: { default: '1', validValues: ['1'], validRange: { min: '1' } },
    errors: ['p: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'],
  },
  {
    what: 'values without a default',
    policy: { default: null, validValues: ['1'] },
    errors: ['p.default: Required value: required when validValues is defined'],
  },
  {
    what: 'values out of order, twice, too large, and another default',
    policy: { default: '5', validValues: ['2', '1', '1', '20'] },
    errors: [
      'p.validValues[1]: Invalid value: "1": values must be sorted in ascending order',
      'p.validValues[3]: Invalid value: "20": option is larger than capacity value: 10',
      'p.validValues[2]: Duplicate value: "1"',
      'p.validValues: Invalid value: "5": default value is not valid according to the requestPolicy',
    ],
  },
  {
    what: 'halves as the same unit where parts do not count',
    policy: { default: '500m', validValues: ['500m', '600m'] },
    fractional: false,
    errors: ['p.validValues[1]: Duplicate value: "1"'],
  },
  { what: 'halves as values of their own', policy: { default: '500m', validValues: ['500m', '600m'] }, errors: [] },
  {
    what: 'a half twice',
    policy: { default: '500m', validValues: ['500m', '500m'] },
    errors: ['p.validValues[1]: Duplicate value: "0.500"'],
  },
  {
    what: 'a range without a begin',
    policy: { default: '1', validRange: {} },
    errors: ['p.validRange.min: Required value: required when validRange is defined'],
  },
  {
    what: 'a range that is upside down',
    policy: { default: '8', validRange: { min: '9', max: '7' } },
    errors: [
      'p.validRange.default: Invalid value: "8": default is less than min: 9',
      'p.validRange.max: Invalid value: "9": min is larger than max: 7',
      'p.validRange.default: Invalid value: "8": default is more than max: 7',
    ],
  },
  {
    what: 'steps that miss the default and the end',
    policy: { default: '4', validRange: { min: '1', max: '8', step: '2' } },
    errors: [
      'p.validRange.step: Invalid value: "4": value is not a multiple of a given step (2) from (1)',
      'p.validRange.step: Invalid value: "8": value is not a multiple of a given step (2) from (1)',
    ],
  },
  {
    what: 'no step',
    policy: { default: '1', validRange: { min: '1', step: '0' } },
    errors: ['p.validRange.step: Invalid value: "0": must be greater than zero'],
  },
  {
    what: 'one step too far',
    policy: { default: '1', validRange: { min: '1', step: '10' } },
    errors: ['p.validRange.step: Invalid value: "10": one step 11 is larger than capacity value: 10'],
  },
  { what: 'half steps', policy: { default: '1500m', validRange: { min: '1', max: '3', step: '500m' } }, errors: [] },
  {
    what: 'steps that are too small',
    policy: { default: '1', validRange: { min: '1', step: '1u' } },
    errors: ['p.validRange.step: Invalid value: "1u": value cannot be represented as a milli value'],
  },
  {
    what: 'less than nothing',
    policy: { default: '-1', validRange: { min: '-2', step: '1' } },
    errors: [
      'p.validRange.default: Invalid value: "-1": must be greater than or equal to 0',
      'p.validRange.min: Invalid value: "-2": must be greater than or equal to 0',
    ],
  },
];

describe('validateRequestPolicy()', () => {
  for (const { what, policy, fractional = true, errors } of cases) {
    test(`judges ${what}`, () => {
      assert.deepEqual(validateRequestPolicy(policy, capacity, FieldPath.root('p'), fractional).map(String), errors);
    });
  }
});
