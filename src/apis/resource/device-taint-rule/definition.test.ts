import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeviceTaint, DeviceTaintSelector } from '../../../schema/types/resource-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { forVersion } from '../../../server/registry/definition.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { deviceTaintRules } from './definition.ts';
import type { DeviceTaintRuleObject } from './validation.ts';
import { validate, validateStatusUpdate } from './validation.ts';

const rule = (taint: Partial<DeviceTaint> = {}, deviceSelector: DeviceTaintSelector = {}): DeviceTaintRuleObject => ({
  metadata: { name: 't' },
  spec: { deviceSelector, taint: { key: 'k', effect: 'NoSchedule', ...taint } },
  status: {},
});
const { strategy } = deviceTaintRules;

describe('a rule that taints devices', () => {
  test('is judged by what it selects and by its taint', () => {
    assert.deepEqual(validate(rule({ value: 'v' }, { driver: 'd', pool: 'a/b', device: 'x' })), []);
    const errors = validate(rule({ key: 'k' }, { driver: '', pool: '', device: 'x' }));
    assert.deepEqual(errors.map(String), ['spec.deviceSelector.driver: Required value', 'spec.deviceSelector.pool: Required value']);
  });

  const condition = { type: 'A', status: 'True', reason: 'r', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' };

  test('has few conditions', () => {
    const conditions = Array.from({ length: 9 }, (_, index) => ({ ...condition, type: `A${index}` }));
    const errors = validateStatusUpdate({ ...rule(), status: { conditions } });
    assert.deepEqual(errors.map(String), ['status.conditions: Too many: 9: must have at most 8 items']);
  });

  const since = (taint: Partial<DeviceTaint>, old: Partial<DeviceTaint>): string | undefined => {
    const object = rule(taint);
    strategy?.prepareForUpdate?.(object as KubeObject, rule(old) as KubeObject, testContext({ now: 'now' }));
    return object.spec.taint.timeAdded;
  };

  test('tells since when its effect is there', () => {
    assert.equal(since({ effect: 'NoExecute', timeAdded: 'then' }, { timeAdded: 'then' }), 'now');
    assert.equal(since({ effect: 'NoExecute', timeAdded: 'later' }, { timeAdded: 'then' }), 'later');
    assert.equal(since({ value: 'v', timeAdded: 'then' }, { timeAdded: 'then' }), 'then');
  });

  test('is updated and deleted in the old versions as it used to be', () => {
    for (const option of [strategy?.allowUnconditionalUpdate, strategy?.returnDeletedObject]) {
      assert.deepEqual(
        ['v1', 'v1beta2', 'v1alpha3'].map((version) => forVersion(option ?? false, version)),
        [false, true, true],
      );
    }
  });
});
