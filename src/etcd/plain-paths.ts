// Upstream: go.etcd.io/etcd/server/v3/etcdserver/api/etcdhttp/{health.go,version.go}
import type { PlainRequest, PlainResponse } from './listener.ts';
import { etcdVersion, storageVersion } from './maintenance-service.ts';
import type { EtcdStore } from './store.ts';

const text = 'text/plain; charset=utf-8';

/** Health, version and a few metrics. */
export function plainPaths(store: EtcdStore): (request: PlainRequest) => Promise<PlainResponse> {
  const problem = async (): Promise<string | undefined> => {
    try {
      await store.storage.health();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return async ({ method, path }) => {
    const [name = ''] = path.split('?');
    const isKnown = ['/health', '/livez', '/readyz', '/version', '/metrics'].includes(name);
    if (!isKnown) return { status: 404, type: text, body: '404 page not found\n' };
    if (method !== 'GET') return { status: 405, type: text, body: 'Method Not Allowed\n' };
    if (name === '/version') {
      const versions = { etcdserver: etcdVersion, etcdcluster: storageVersion, storage: storageVersion };
      return { status: 200, type: 'application/json', body: JSON.stringify(versions) };
    }
    if (name === '/metrics') return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: metrics(store) };
    // Reads go on when the disk takes no writes, so the process lives.
    const wrong = name === '/livez' ? undefined : await problem();
    const status = wrong === undefined ? 200 : 503;
    if (name !== '/health') return { status, type: text, body: wrong === undefined ? 'ok\n' : `[-]storage failed: ${wrong}\n` };
    const body = JSON.stringify({ health: String(wrong === undefined), reason: wrong ?? '' });
    return { status, type: text, body };
  };
}

function metrics(store: EtcdStore): string {
  const { diskBytes, keys, revision, compactRevision, watchers } = store.storage.statistics;
  const gauges: readonly (readonly [string, string, number])[] = [
    ['etcd_server_has_leader', 'Whether there is a leader: 1, since there is one member.', 1],
    ['etcd_server_is_leader', 'Whether this member is the leader: 1, since there is one.', 1],
    ['etcd_mvcc_db_total_size_in_bytes', 'Bytes of all files of the store.', diskBytes],
    ['etcd_mvcc_db_total_size_in_use_in_bytes', 'Bytes of all files of the store.', diskBytes],
    ['etcd_debugging_mvcc_keys_total', 'Number of keys.', keys],
    ['etcd_debugging_mvcc_current_revision', 'Newest revision.', revision],
    ['etcd_debugging_mvcc_compact_revision', 'Oldest revision that can be read.', compactRevision],
    ['etcd_debugging_mvcc_watcher_total', 'Number of watches.', watchers],
    ['process_resident_memory_bytes', 'Memory of the process in bytes.', process.memoryUsage.rss()],
  ];
  const lines = gauges.map(([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`);
  return `${lines.join('')}# HELP etcd_server_version Version that is served.\n# TYPE etcd_server_version gauge\netcd_server_version{server_version="${etcdVersion}"} 1\n`;
}
