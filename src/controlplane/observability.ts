// Upstream: k8s.io/apiserver/pkg/server/config.go#installAPI
import type { Verbosity } from '../base/logging/verbosity.ts';
import { Profiler } from '../base/profiling/profiler.ts';
import { DebugSocket } from '../server/http/debug-socket.ts';
import { notFoundHandler, PathMux } from '../server/http/path-mux.ts';
import { loadDescriptions } from '../server/openapi/load-descriptions.ts';
import { installDebugFlags } from '../server/routes/debug-flags.ts';
import { installLogFiles } from '../server/routes/log-files.ts';
import { installCommandLine, installProfiling } from '../server/routes/profiling.ts';
import type { FieldDescriptions } from '../table/described.ts';
import type { ServerContext } from './server-context.ts';

export interface ObservabilityConfig {
  /** flags in effect, for /flagz; undefined: the server has none */
  readonly flags: (() => ReadonlyMap<string, string>) | undefined;
  /** how much is logged, for /debug/flags/v; undefined: that cannot be changed while the server runs */
  readonly verbosity: Verbosity | undefined;
  /** profiles under /debug/pprof/, and /debug/flags/v */
  readonly profiling: boolean;
  /** path of a unix socket that has them as well, for those who may open it; '': none */
  readonly debugSocket: string;
  /** a TracingConfiguration; '': no traces are exported */
  readonly tracingFile: string;
  /** files of /var/log under /logs */
  readonly logFiles: boolean;
  /** prose for tables */
  readonly descriptions: () => Promise<FieldDescriptions>;
}

export const observabilityDefaults: ObservabilityConfig = Object.freeze({
  flags: undefined,
  verbosity: undefined,
  profiling: true,
  debugSocket: '',
  tracingFile: '',
  logFiles: false,
  descriptions: loadDescriptions,
});

const logFolder = '/var/log';

/** What people look at who want to know what the process does: profiles, verbosity, files of the log. */
export function installDebugging(mux: PathMux, config: ObservabilityConfig, { log, owned }: ServerContext): void {
  const { profiling, debugSocket, verbosity, logFiles } = config;
  if (logFiles) installLogFiles(mux, logFolder);
  if (!profiling && debugSocket === '') return;
  const profiler = new Profiler();
  owned.defer(() => profiler.close());
  const install = (to: PathMux): void => {
    installProfiling(to, profiler);
    if (verbosity !== undefined) installDebugFlags(to, verbosity);
  };
  if (profiling) install(mux);
  if (debugSocket === '') return;
  const socketPaths = new PathMux();
  install(socketPaths);
  installCommandLine(socketPaths);
  const failed = (error: unknown): void => log.error('Debug socket failed', { path: debugSocket, err: error });
  const socket = new DebugSocket(debugSocket, socketPaths.handler(notFoundHandler), failed);
  owned.defer(() => socket.close());
  socket.listen().catch(failed);
}
