// Upstream: k8s.io/kubernetes/pkg/apis/lifecycle/validation/validation.go#ValidateEvictionStatusResponders
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, invalid, required, typedValue } from '../../../machinery/field.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { ListType, Type } from '../../../machinery/type-model.ts';
import type { EvictionStatus, ResponderStatus } from '../../../schema/types/lifecycle-v1alpha1.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { maxResponders } from './targets.ts';

interface ResponderOptions {
  /** milliseconds since the epoch */
  readonly now: number;
  /** of the status */
  readonly type: Type;
}

const path = Path.root('status', 'responders');
const allowedSkew = 30_000;
const tenYears = 10 * 365 * 24 * 60 * 60_000;

/** What responders report: one report for each, which only the one at work may change. */
export function validateResponders(status: EvictionStatus, old: EvictionStatus, { now, type }: ResponderOptions): FieldError[] {
  const reports = status.responders ?? [];
  const targets = status.targetResponders ?? [];
  const names = new Set(reports.map(({ name }) => name));
  const listType = typeAt(type, 'responders') as ListType;
  const differs = (detail: string): FieldError[] => [invalid(path, internalValue(listType, status.responders), detail)];
  if (targets.length !== reports.length) return differs('must be the same length as status.targetResponders and contain the same keys');
  if (!targets.every(({ name }) => names.has(name))) return differs('must contain the same keys as status.targetResponders');
  // too many, and names that are there twice, are found by declared rules
  if (reports.length > maxResponders || names.size < reports.length) return [];
  return reports.flatMap((report, index) => {
    const at = path.index(index);
    const state = targets.findLast(({ name }) => name === report.name)?.state;
    const before = old.responders?.findLast(({ name }) => name === report.name);
    if (before !== undefined && state !== 'Active' && !semanticDeepEqual(report, before)) {
      return [invalid(at, internalValue(listType.element, report), fieldImmutableMessage).withOrigin('immutable')];
    }
    const times = new Times(report, before ?? { name: report.name }, at, now);
    return [...times.start(state === 'Active'), ...times.heartbeat(), ...times.expectedCompletion(), ...times.completion()];
  });
}

type TimeField = 'startTime' | 'heartbeatTime' | 'expectedCompletionTime' | 'completionTime';

/** The times in one report, against each other, those before and the clock. Those that may not change at all are declared so. */
class Times {
  readonly #report: ResponderStatus;
  readonly #old: ResponderStatus;
  readonly #path: FieldPath;
  readonly #now: number;

  constructor(report: ResponderStatus, old: ResponderStatus, at: FieldPath, now: number) {
    this.#report = report;
    this.#old = old;
    this.#path = at;
    this.#now = now;
  }

  start(isActive: boolean): FieldError[] {
    const { startTime } = this.#report;
    if (startTime === undefined && this.#old.startTime === undefined && isActive) {
      return [required(this.#path.child('startTime'), 'is required for an active responder')];
    }
    if (startTime === undefined || this.#old.startTime !== undefined) return [];
    return this.#present('startTime');
  }

  heartbeat(): FieldError[] {
    const { heartbeatTime } = this.#report;
    const before = this.#old.heartbeatTime;
    if (heartbeatTime === undefined) {
      return before === undefined ? [] : [required(this.#path.child('heartbeatTime'), 'is required once set')];
    }
    if (heartbeatTime === before) return [];
    return this.#afterStart('heartbeatTime', () => this.#present('heartbeatTime'), before);
  }

  expectedCompletion(): FieldError[] {
    const { expectedCompletionTime: expected } = this.#report;
    if (expected === undefined || expected === this.#old.expectedCompletionTime) return [];
    return this.#afterStart('expectedCompletionTime', () => {
      if (Date.parse(expected) < this.#now - allowedSkew) return this.#wrong('expectedCompletionTime', 'cannot be set to the past time');
      return Date.parse(expected) > this.#now + tenYears ? this.#wrong('expectedCompletionTime', 'must complete within 10 years') : [];
    });
  }

  completion(): FieldError[] {
    const { completionTime } = this.#report;
    const before = this.#old.completionTime;
    if (completionTime === undefined || (before !== undefined && before !== completionTime)) return [];
    return this.#afterStart('completionTime', () => (before === undefined ? this.#present('completionTime') : []));
  }

  #afterStart(field: TimeField, otherwise: () => FieldError[], before?: string): FieldError[] {
    const { startTime, [field]: time = '' } = this.#report;
    const startPath = this.#path.child('startTime');
    if (startTime === undefined) return this.#wrong(field, `cannot be set before ${startPath} is set`);
    if (before !== undefined && Date.parse(time) < Date.parse(before)) return this.#wrong(field, 'cannot be decreased');
    if (Date.parse(time) < Date.parse(startTime)) return this.#wrong(field, `must occur after ${startPath}`);
    return otherwise();
  }

  #present(field: TimeField): FieldError[] {
    const distance = Math.abs(Date.parse(this.#report[field] ?? '') - this.#now);
    return distance < allowedSkew ? [] : this.#wrong(field, 'must be set to the present time');
  }

  #wrong(field: TimeField, detail: string): FieldError[] {
    return [invalid(this.#path.child(field), typedValue(this.#report[field]), detail)];
  }
}
