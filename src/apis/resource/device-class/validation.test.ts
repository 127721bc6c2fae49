import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allSteps } from '../../../base/steps.ts';
import type { FieldError } from '../../../machinery/field.ts';
import type { DeviceClassSpec } from '../../../schema/types/resource-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import type { DeviceClassObject } from './validation.ts';
import { validate, validateName } from './validation.ts';

const deviceClass = (spec: DeviceClassSpec): DeviceClassObject => ({ metadata: { name: 'c' }, spec });
const selecting = (expression: string): DeviceClassSpec => ({ selectors: [{ cel: { expression } }] });
const judge = (object: DeviceClassObject, old?: DeviceClassObject): FieldError[] => allSteps(validate(object, old, testContext()));

describe('a class of devices', () => {
  test('has selectors that compile and parameters that are objects', () => {
    const errors = judge(deviceClass({ ...selecting('1'), config: [{}] }));
    assert.deepEqual(errors.map(String), [
      'spec.selectors[0].cel.expression: Invalid value: "1": must evaluate to bool or the unknown type, not int',
      'spec.config[0].opaque: Required value',
    ]);
  });

  test('keeps selectors that have compiled once', () => {
    const [old, same] = [deviceClass(selecting('1')), deviceClass(selecting('1'))];
    assert.deepEqual(judge(same, old), []);
    assert.equal(judge(deviceClass(selecting('2')), old).length, 1);
  });

  test('is judged by its name, not by what the name is made from', () => {
    assert.deepEqual(validateName('Upper-', true), []);
    assert.equal(validateName('Upper', false).length, 1);
  });
});
