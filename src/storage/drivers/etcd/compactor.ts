// Upstream: k8s.io/apiserver/pkg/storage/etcd3/compact.go
import { setTimeout as sleep } from 'node:timers/promises';
import type { EtcdClient } from './client.ts';

/** Its version is the logical time of the last compaction, its value the revision compacted to. */
const compactRevisionKey = Buffer.from('compact_rev_key');

export interface CompactionState {
  /** version of the key when this server last looked */
  readonly time: number;
  /** the store's revision at that time: what the next round may compact to */
  readonly revision: number;
}

export interface CompactionRound {
  readonly next: CompactionState;
  /** up to where history is known to be gone, by this server or another; 0: not known */
  readonly compacted: number;
  /** the key was won but the compaction itself failed; a later round will compact further */
  readonly error?: unknown;
}

/**
 * One round. Servers that share an etcd agree through the key's version: the one that raises it compacts, to the revision of its own
 * last look; the others take note and try again one interval later. So history lives for one to two intervals.
 */
export async function compactOnce(client: EtcdClient, state: CompactionState, signal?: AbortSignal): Promise<CompactionRound> {
  const answer = await client.txn(
    'compactLock',
    {
      compare: [{ key: compactRevisionKey, target: 'version', equals: state.time }],
      success: [{ type: 'put', key: compactRevisionKey, value: Buffer.from(String(state.revision)) }],
      failure: [{ type: 'range', range: { key: compactRevisionKey } }],
    },
    { signal },
  );
  if (!answer.succeeded) {
    const held = answer.values[0];
    const compacted = Number.parseInt(held?.value.toString('latin1') ?? '', 10);
    return { next: { time: held?.version ?? 0, revision: answer.revision }, compacted: Number.isNaN(compacted) ? 0 : compacted };
  }
  const next = { time: state.time + 1, revision: answer.revision };
  // The first look after the key's birth knows no revision to compact to.
  if (state.revision === 0) return { next, compacted: 0 };
  try {
    await client.compact(state.revision, { signal });
  } catch (error) {
    return { next, compacted: 0, error };
  }
  return { next, compacted: state.revision };
}

export interface CompactorOptions {
  readonly client: EtcdClient;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  readonly onCompacted?: ((revision: number) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Rounds until the signal aborts. A failed round is reported and the next one comes an interval later. */
export async function runCompactor(options: CompactorOptions): Promise<void> {
  const { client, intervalMs, signal } = options;
  let state: CompactionState = { time: 0, revision: 0 };
  for (;;) {
    try {
      await sleep(intervalMs, undefined, { signal, ref: false });
      const round = await compactOnce(client, state, signal);
      state = round.next;
      if (round.error !== undefined) throw round.error;
      if (round.compacted > 0) options.onCompacted?.(round.compacted);
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error);
    }
  }
}
