import type { GivenConfig } from '../controlplane/config.ts';
import type { ThreadRole } from '../controlplane/workers/thread.ts';

/** What the flags ask for, for one of several threads. */
export function threadConfig(config: GivenConfig, thread: ThreadRole): GivenConfig {
  if (thread.role === 'only') return config;
  const serving = { ...config.serving, sharesPort: true };
  if (thread.role === 'first') return { ...config, serving };
  return {
    ...config,
    serving: { ...serving, port: thread.listensOn },
    // The first thread has the controllers, and the paths and the socket that are about the process.
    controllers: false,
    wheelhouse: {},
    observability: { ...config.observability, debugSocket: '' },
    ...(thread.storage !== undefined && { storage: { ...config.storage, backend: thread.storage, compactionIntervalMs: 0 } }),
  };
}
