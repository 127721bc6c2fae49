import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeviceClassSpec } from '../../../schema/types/resource-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import type { DeviceClassObject } from './validation.ts';
import { validate, validateName, validateUpdate } from './validation.ts';

const deviceClass = (spec: DeviceClassSpec): DeviceClassObject => ({ metadata: { name: 'c' }, spec });
const selecting = (expression: string): DeviceClassSpec => ({ selectors: [{ cel: { expression } }] });

describe('a class of devices', () => {
  test('has selectors that compile and parameters that are objects', () => {
    const errors = validate(deviceClass({ ...selecting('1'), config: [{}] }), testContext());
    assert.deepEqual(errors.map(String), [
      'spec.selectors[0].cel.expression: Invalid value: "1": must evaluate to bool or the unknown type, not int',
      'spec.config[0].opaque: Required value',
    ]);
  });

  test('keeps selectors that have compiled once', () => {
    const [old, same] = [deviceClass(selecting('1')), deviceClass(selecting('1'))];
    assert.deepEqual(validateUpdate(same, old, testContext()), []);
    assert.equal(validateUpdate(deviceClass(selecting('2')), old, testContext()).length, 1);
  });

  test('is judged by its name, not by what the name is made from', () => {
    assert.deepEqual(validateName('Upper-', true), []);
    assert.equal(validateName('Upper', false).length, 1);
  });
});
