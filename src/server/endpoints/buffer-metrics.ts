import type { MetricsRegistry } from '../../base/metrics.ts';
import type { ChunkPool } from '../http/chunk.ts';
import type { EncodingCache } from '../object/encoding-cache.ts';

/** What is held of responses: bytes of lists on their way to clients, and other encodings of objects. */
export function observeBuffers(registry: MetricsRegistry, chunks: ChunkPool, encodings: readonly EncodingCache[]): void {
  const lists = registry.gauge({ name: 'wheelhouse_list_buffer_bytes', help: 'Bytes of lists that are on their way to clients' }).with();
  const kept = registry
    .gauge({ name: 'wheelhouse_encoding_cache_bytes', help: 'Bytes of other encodings of stored objects, kept while they are used' })
    .with();
  registry.onCollect(() => {
    lists.set(chunks.onTheWay);
    kept.set(encodings.reduce((sum, { size }) => sum + size, 0));
  });
}
