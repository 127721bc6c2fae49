// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go#presyncFlowSchemaStatus
import { timestamp } from '../../machinery/time.ts';
import type { FlowSchema } from '../../schema/types/flowcontrol-v1.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { keepReconciled } from '../../server/registry/keep-reconciled.ts';
import { flowControlGroup } from '../../apis/common/flow-control/mandatory.ts';
import { isReason } from '../../machinery/errors.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import { danglingCondition } from './dangling-condition.ts';
import type { Condition } from './dangling-condition.ts';
import type { FlowControlOptions } from './flow-control.ts';

type FlowSchemaObject = FlowSchema & KubeObject;

const manager = 'api-priority-and-fairness-config-consumer-v1';
const plurals = { schemas: 'flowschemas', levels: 'prioritylevelconfigurations' } as const;
/** How often one flow schema is written in a minute: controllers that disagree about it would do so for ever. */
const mostWrites = 6;
const minuteMs = 60_000;
/** What is put off is looked at again after so long at least, and so much more at most. */
const putOffMs = 30_000;
const putOffSpreadMs = 45_000;

/** Says of every flow schema whether the priority level that it names exists. */
export function flowSchemaStatusHook(
  writer: ServerWriter,
  { reader, clock, log, flowControlChanged, writesStatus = true }: FlowControlOptions,
): PostStartHook {
  const recent = new RecentWrites();
  const reconcile = async (): Promise<number | undefined> => {
    await flowControlChanged?.();
    if (!writesStatus) return undefined;
    const levels = new Set<string>();
    for (const { metadata } of await reader.listShared(flowControlGroup, plurals.levels, '')) levels.add(metadata.name ?? '');
    const writes: Promise<void>[] = [];
    const now = clock.now();
    let putOff: number | undefined;
    for (const schema of await reader.listShared<FlowSchemaObject>(flowControlGroup, plurals.schemas, '')) {
      const condition = danglingCondition(schema.spec.priorityLevelConfiguration.name, levels);
      if (hasCondition(schema, condition)) continue;
      if (recent.add(schema.metadata.name ?? '', now)) writes.push(write(schema, condition));
      else putOff ??= putOffMs + Math.random() * putOffSpreadMs;
    }
    await Promise.all(writes);
    return putOff;
  };
  const write = async ({ metadata: { name = '' } }: FlowSchemaObject, condition: Condition): Promise<void> => {
    const conditions = [{ ...condition, lastTransitionTime: timestamp(clock.now()) }];
    try {
      await writer.applyStatus(flowControlGroup, plurals.schemas, name, { conditions }, manager);
    } catch (error) {
      // It is gone: nothing is left to be said of it.
      if (!isReason(error, 'NotFound')) throw error;
    }
  };
  return {
    name: 'priority-and-fairness-config-consumer',
    run: (signal) => {
      const resources = [plurals.schemas, plurals.levels].map((plural) => reader.resource(flowControlGroup, plural));
      return keepReconciled({ name: 'the status of flow schemas', resources, reconcile, signal, clock, log });
    },
  };
}

/** When flow schemas were written, in the last minute. */
class RecentWrites {
  readonly #times = new Map<string, readonly number[]>();

  /** Takes note of a write now; false: there were too many, and there is to be none. */
  add(name: string, now: number): boolean {
    const times = (this.#times.get(name) ?? []).filter((time) => now - time <= minuteMs);
    const isAllowed = times.length < mostWrites;
    if (isAllowed) times.push(now);
    this.#times.delete(name);
    this.#times.set(name, times);
    this.#forget(now);
    return isAllowed;
  }

  /** Those that were written last are at the end. */
  #forget(now: number): void {
    for (const [name, times] of this.#times) {
      if (now - (times.at(-1) ?? 0) <= minuteMs) return;
      this.#times.delete(name);
    }
  }
}

function hasCondition({ status }: FlowSchemaObject, { type, ...wanted }: Condition): boolean {
  const { status: value, reason, message } = status?.conditions?.find((one) => one.type === type) ?? {};
  return value === wanted.status && reason === wanted.reason && message === wanted.message;
}
