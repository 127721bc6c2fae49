// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateDeviceTaintRule
import { validateConditions } from '../../../machinery/conditions.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, tooMany } from '../../../machinery/field.ts';
import type { DeviceTaintRule, DeviceTaintSelector } from '../../../schema/types/resource-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateDriverName, validatePoolName } from '../../common/device/names.ts';
import { validateTaint } from '../../common/device/taints.ts';
import { validateDnsLabel } from '../../common/pod-spec/rules.ts';

export type DeviceTaintRuleObject = DeviceTaintRule & KubeObject;

const maxConditions = 8;
const specPath = FieldPath.root('spec');
const selectorPath = specPath.child('deviceSelector');
const conditionsPath = FieldPath.root('status', 'conditions');

export function validate({ spec: { deviceSelector, taint } }: DeviceTaintRuleObject): FieldError[] {
  return [...validateSelector(deviceSelector ?? {}), ...validateTaint(taint, specPath.child('taint'))];
}

function validateSelector({ driver, pool, device }: DeviceTaintSelector): FieldError[] {
  return [
    ...(driver === undefined ? [] : validateDriverName(driver, selectorPath.child('driver'))),
    ...(pool === undefined ? [] : validatePoolName(pool, selectorPath.child('pool'))),
    ...(device === undefined ? [] : validateDnsLabel(device, selectorPath.child('device'))),
  ];
}

export function validateStatusUpdate({ status: { conditions = [] } }: DeviceTaintRuleObject): FieldError[] {
  const errors = validateConditions(conditions as Parameters<typeof validateConditions>[0], conditionsPath);
  return conditions.length > maxConditions ? [...errors, tooMany(conditionsPath, conditions.length, maxConditions)] : errors;
}
