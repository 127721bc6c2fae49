// Upstream: pkg/apis/autoscaling/v1/conversion.go
// The original writes its internal type here, so the names begin with capitals and nothing is left out.
import { goJson } from '../../../machinery/go-format.ts';
import type { HPAScalingPolicy, HPAScalingRules, HorizontalPodAutoscalerBehavior } from '../../../schema/types/autoscaling-v2.ts';

export function behaviorText({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): string {
  return goJson({ ScaleUp: internalRules(scaleUp), ScaleDown: internalRules(scaleDown) });
}

function internalRules(rules: HPAScalingRules | undefined): unknown {
  if (rules === undefined) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance = null } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies: policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ?? null,
    Tolerance: tolerance,
  };
}

/** undefined: there is none, or it cannot be read, which is the same. */
export function readBehavior(text: string | undefined): HorizontalPodAutoscalerBehavior | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isObject(value)) return undefined;
  const scaleUp = readRules(member(value, 'scaleUp'));
  const scaleDown = readRules(member(value, 'scaleDown'));
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  return { ...(scaleUp && { scaleUp }), ...(scaleDown && { scaleDown }) };
}

function readRules(value: unknown): HPAScalingRules | undefined {
  if (!isObject(value)) return undefined;
  const rules: HPAScalingRules = {};
  const window = member(value, 'stabilizationWindowSeconds');
  const select = member(value, 'selectPolicy');
  const policies = member(value, 'policies');
  const tolerance = member(value, 'tolerance');
  if (typeof window === 'number') rules.stabilizationWindowSeconds = window;
  if (typeof select === 'string') rules.selectPolicy = select;
  if (Array.isArray(policies)) rules.policies = policies.filter(isObject).map(readPolicy);
  if (typeof tolerance === 'string') rules.tolerance = tolerance;
  return rules;
}

function readPolicy(value: Record<string, unknown>): HPAScalingPolicy {
  return {
    type: String(member(value, 'type') ?? ''),
    value: Number(member(value, 'value') ?? 0),
    periodSeconds: Number(member(value, 'periodSeconds') ?? 0),
  };
}

/** Go finds members whatever the case of their letters. */
function member(object: Record<string, unknown>, name: string): unknown {
  const wanted = name.toLowerCase();
  const key = Object.keys(object).find((one) => one.toLowerCase() === wanted);
  return key === undefined ? undefined : object[key];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
