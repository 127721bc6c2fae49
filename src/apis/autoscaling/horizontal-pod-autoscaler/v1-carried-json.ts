// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/v1/conversion.go
// What autoscaling/v1 carries as text. Whatever cannot be read is as if it were not there.
import { goJson } from '../../../machinery/go-format.ts';
import type { HPAScalingPolicy, HPAScalingRules, HorizontalPodAutoscalerBehavior } from '../../../schema/types/autoscaling-v2.ts';

type Members = Readonly<Record<string, unknown>>;

/** A list of objects. */
export function readList<T>(text: string | undefined): T[] | undefined {
  const value = parse(text);
  return Array.isArray(value) && value.every(isObject) ? (value as T[]) : undefined;
}

/** Behavior is written as upstream's internal type: names begin with capitals and nothing is left out. */
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

export function readBehavior(text: string | undefined): HorizontalPodAutoscalerBehavior | undefined {
  const { scaleup, scaledown } = members(parse(text));
  if (!isObject(scaleup) && !isObject(scaledown)) return undefined;
  return { ...(isObject(scaleup) && { scaleUp: readRules(scaleup) }), ...(isObject(scaledown) && { scaleDown: readRules(scaledown) }) };
}

function readRules(rules: Members): HPAScalingRules {
  const { stabilizationwindowseconds: window, selectpolicy: select, policies, tolerance } = members(rules);
  return {
    ...(typeof window === 'number' && { stabilizationWindowSeconds: window }),
    ...(typeof select === 'string' && { selectPolicy: select }),
    ...(Array.isArray(policies) && { policies: policies.filter(isObject).map(readPolicy) }),
    ...(typeof tolerance === 'string' && { tolerance }),
  };
}

function readPolicy(policy: Members): HPAScalingPolicy {
  const { type = '', value = 0, periodseconds = 0 } = members(policy);
  return { type: String(type), value: Number(value), periodSeconds: Number(periodseconds) };
}

/** Go finds members whatever the case of their letters. */
function members(value: unknown): Members {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member])) : {};
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
