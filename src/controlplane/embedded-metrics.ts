import type { MetricsRegistry } from '../base/metrics.ts';
import { exponentialBuckets } from '../base/metrics.ts';
import type { EmbeddedStorage, StorageObserver } from '../storage/drivers/embedded/embedded-storage.ts';

/** What the embedded store counts: upstream has no such store, so the names are ours. */
export function embeddedStoreMetrics(registry: MetricsRegistry) {
  const families = {
    syncSeconds: registry.histogram({
      name: 'wheelhouse_store_sync_duration_seconds',
      help: 'Time that it took to write transactions to the log and to sync it: what every write waits for',
      buckets: exponentialBuckets(0.000_05, 2, 16),
    }),
    batchSize: registry.histogram({
      name: 'wheelhouse_store_batch_transactions',
      help: 'Transactions that one sync has made durable',
      buckets: exponentialBuckets(1, 2, 10),
    }),
    written: registry.counter({ name: 'wheelhouse_store_log_written_bytes_total', help: 'Bytes that were written to the log' }),
    checkpointSeconds: registry.histogram({
      name: 'wheelhouse_store_checkpoint_duration_seconds',
      help: 'Time that it took to write a checkpoint, after which the log before it is not needed',
      buckets: exponentialBuckets(0.005, 2, 14),
    }),
    checkpointBytes: registry.gauge({ name: 'wheelhouse_store_checkpoint_bytes', help: 'Bytes of the last checkpoint' }),
    failures: registry.counter({ name: 'wheelhouse_store_write_failures_total', help: 'Times that the store began to refuse writes' }),
    writable: registry.gauge({ name: 'wheelhouse_store_writable', help: 'Whether the store takes writes' }),
    logBytes: registry.gauge({ name: 'wheelhouse_store_log_bytes', help: 'Bytes of the log that a restart would have to read' }),
    diskBytes: registry.gauge({ name: 'wheelhouse_store_disk_bytes', help: 'Bytes of all files of the store' }),
    historyBytes: registry.gauge({ name: 'wheelhouse_store_history_bytes', help: 'Bytes of superseded values in memory' }),
    keys: registry.gauge({ name: 'wheelhouse_store_keys', help: 'Keys in the store' }),
    revision: registry.gauge({ name: 'wheelhouse_store_revision', help: 'Newest revision of the store' }),
    compactRevision: registry.gauge({ name: 'wheelhouse_store_compact_revision', help: 'Oldest revision that can be read' }),
  };
  families.writable.with().set(1);
  const observer: StorageObserver = {
    committed: (seconds, transactions, bytes) => {
      families.syncSeconds.with().observe(seconds);
      families.batchSize.with().observe(transactions);
      families.written.with().inc(bytes);
    },
    compacted: (seconds, bytes) => {
      families.checkpointSeconds.with().observe(seconds);
      families.checkpointBytes.with().set(bytes);
    },
    failed: () => {
      families.failures.with().inc();
      families.writable.with().set(0);
    },
    recovered: () => families.writable.with().set(1),
  };
  return {
    observer,
    /** Shows what the store knows of itself, when it is asked. */
    follow(store: Pick<EmbeddedStorage, 'statistics'>): void {
      registry.onCollect(() => {
        const { logBytes, diskBytes, historyBytes, keys, revision, compactRevision } = store.statistics;
        families.logBytes.with().set(logBytes);
        families.diskBytes.with().set(diskBytes);
        families.historyBytes.with().set(historyBytes);
        families.keys.with().set(keys);
        families.revision.with().set(revision);
        families.compactRevision.with().set(compactRevision);
      });
    },
  };
}
