// Upstream: k8s.io/kubernetes/pkg/apis/lifecycle/validation/validation.go#ValidateEvictionTargetResponders
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, forbidden, invalid, typedValue } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { ListType, Type } from '../../../machinery/type-model.ts';
import type { EvictionStatus, ResponderStatus, TargetResponder } from '../../../schema/types/lifecycle-v1alpha1.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { inTurn } from './turn.ts';

interface TargetOptions {
  /** the target is evicted, or will not be */
  readonly isFinal: boolean;
  /** milliseconds since the epoch */
  readonly now: number;
  /** of the status */
  readonly type: Type;
}

/** Which states a responder may be in now, and why. */
interface Expectation {
  readonly states: readonly string[];
  readonly reason: string;
}

/** ten of the pod and the one of Kubernetes */
export const maxResponders = 11;

/** A responder that has come to one of these stays there. */
export const finalStates: readonly string[] = ['Canceled', 'Completed', 'Interrupted'];

const path = Path.root('status', 'targetResponders');
const reportsPath = Path.root('status', 'responders');
const heartbeatDeadline = 20 * 60_000;
const allowedSkew = 30_000;
const reservedPriorities = 1000;
const assignedPriorities: Readonly<Record<string, number>> = { 'imperative-eviction.k8s.io/evictor': 100 };

export function validateTargets(status: EvictionStatus, old: EvictionStatus, options: TargetOptions): FieldError[] {
  const targets = status.targetResponders ?? [];
  const before = old.targetResponders ?? [];
  const listType = typeAt(options.type, 'targetResponders') as ListType;
  const names = new Set(targets.map(({ name }) => name));
  const changed = (detail: string): FieldError[] => [invalid(path, internalValue(listType, status.targetResponders), detail)];
  if (before.length > 0 && targets.length !== before.length) return changed('must preserve the same length and the same keys');
  if (!before.every(({ name }) => names.has(name))) return changed('must preserve the same keys');
  // too many, and names that are there twice, are found by declared rules; nothing more can be said of such lists
  if (targets.length > maxResponders || names.size < targets.length) return [];

  const sorted = inTurn(targets);
  const expected = expectations(sorted, inTurn(before), options.isFinal);
  return sorted.flatMap((target, index) => {
    const at = path.index(targets.indexOf(target));
    const report = status.responders?.findLast(({ name }) => name === target.name);
    if (report === undefined) {
      const detail = `${goQuote(target.name)} has to be tracked in ${reportsPath} first`;
      return [invalid(at, internalValue(listType.element, target), detail)];
    }
    return [
      ...validatePriority(target, at.child('priority')),
      ...validateState(target, report, expected[index] as Expectation, at.child('state'), options),
    ];
  });
}

/** Responders work one after another: the first until it is done, then the next. */
function expectations(sorted: readonly TargetResponder[], before: readonly TargetResponder[], isFinal: boolean): Expectation[] {
  const active = before.findIndex(({ state }) => state === 'Active');
  const moved = active >= 0 && sorted[active]?.state !== 'Active';
  const allDone = isFinal || finalStates.includes(before.at(-1)?.state ?? '');
  const finished = 'the eviction request has finished processing';
  return sorted.map((_, index) => {
    const old = before[index];
    if (old !== undefined && (index < active || (active < 0 && allDone))) {
      return { states: [old.state], reason: 'final state is immutable' };
    }
    if (active >= 0 && index === active) {
      if (moved) return { states: finalStates, reason: 'this responder must reach a final state' };
      return isFinal ? { states: finalStates, reason: finished } : { states: ['Active'], reason: 'the eviction request stays active' };
    }
    const isNext = before.length === 0 ? index === 0 : moved && index === active + 1;
    if (!isNext) return { states: ['Inactive'], reason: 'the previously active has not finished processing' };
    return isFinal ? { states: ['Inactive'], reason: finished } : { states: ['Active'], reason: 'this responder is next in line' };
  });
}

function validatePriority({ name, priority }: TargetResponder, at: FieldPath): FieldError[] {
  if (priority === null || priority < 0) return [];
  const assigned = Object.hasOwn(assignedPriorities, name) ? assignedPriorities[name] : undefined;
  if (assigned !== undefined) {
    return priority === assigned ? [] : [invalid(at, priority, `core k8s responder is expected to have priority: ${assigned}`)];
  }
  return priority < reservedPriorities ? [invalid(at, priority, 'priorities 0-999 are reserved for responders with *.k8s.io suffix')] : [];
}

function validateState(
  { state }: TargetResponder,
  report: ResponderStatus,
  { states, reason }: Expectation,
  at: FieldPath,
  { isFinal, now }: TargetOptions,
): FieldError[] {
  if (!states.includes(state)) {
    return [invalid(at, typedValue(state), `must be one of: ${states.join(', ')}, because ${reason}`)];
  }
  const errors: FieldError[] = [];
  if (state !== 'Active' && isAtWork(report, now) && !isFinal) {
    const fields = `${reportsPath.child('heartbeatTime')} or ${reportsPath.child('completionTime')}`;
    errors.push(forbidden(at, `must stay Active because the responder is in progress and it should report ${fields}`));
  }
  if (state === 'Completed' && report.completionTime === undefined) {
    const detail = `cannot become Completed because the responder didn't report ${reportsPath.child('completionTime')}`;
    errors.push(invalid(at, typedValue(state), detail));
  }
  return errors;
}

/** Started, not done, and heard of not long ago. */
function isAtWork({ startTime, heartbeatTime, completionTime }: ResponderStatus, now: number): boolean {
  if (startTime === undefined || completionTime !== undefined) return false;
  return now < Date.parse(heartbeatTime ?? startTime) + heartbeatDeadline - allowedSkew;
}
