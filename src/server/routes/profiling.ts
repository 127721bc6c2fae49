// Upstream: k8s.io/apiserver/pkg/server/routes/profiling.go, std/net/http/pprof/pprof.go
import { gzipSync } from 'node:zlib';
import type { Profile } from '../../base/profiling/pprof.ts';
import { encodeProfile } from '../../base/profiling/pprof.ts';
import type { Profiler } from '../../base/profiling/profiler.ts';
import { ProfilerBusyError } from '../../base/profiling/profiler.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { Request } from '../http/request.ts';
import type { Handler, Response } from '../http/response.ts';
import { textResponse } from '../http/response.ts';

const folder = '/debug/pprof/';
const defaultCpuSeconds = 30;
const defaultHeapSeconds = 5;
/** a profile is kept in memory until it is sent */
const mostSeconds = 600;

interface NamedProfile {
  readonly name: string;
  readonly about: string;
  take(request: Request): Promise<Profile>;
}

/** The command that the process was started with: upstream has it on the debug socket alone. */
export function installCommandLine(mux: PathMux): void {
  mux.handleUnlisted(`${folder}cmdline`, () => textResponse(200, process.argv.join('\0')));
}

/** Profiles under /debug/pprof/, for `go tool pprof`: what V8 and Node know of what upstream's pages show. */
export function installProfiling(mux: PathMux, profiler: Profiler): void {
  const profiles = namedProfiles(profiler);
  mux.handleUnlisted(folder.slice(0, -1), () => ({
    status: 302,
    headers: { location: folder, 'content-type': 'text/html; charset=utf-8' },
  }));
  for (const profile of profiles) mux.handleUnlisted(folder + profile.name, serveProfile(profile));
  // Functions are named in the profiles themselves: there are no addresses to look up.
  mux.handleUnlisted(`${folder}symbol`, () => textResponse(200, 'num_symbols: 0\n'));
  mux.handleUnlisted(`${folder}trace`, () =>
    pprofError(501, 'Execution traces are made by Go alone; take a CPU profile from /debug/pprof/profile'),
  );
  mux.handlePrefix(folder, (request) => (request.path === folder ? index(profiles) : pprofError(404, 'Unknown profile')));
}

function namedProfiles(profiler: Profiler): readonly NamedProfile[] {
  const none = (type: string, unit: string): Profile => ({
    types: [
      { type: 'contentions', unit: 'count' },
      { type, unit },
    ],
    samples: [],
    at: Date.now(),
  });
  return [
    {
      name: 'allocs',
      about: 'What is allocated within ?seconds=N',
      take: (request) => profiler.allocations(() => pause(request, defaultHeapSeconds)),
    },
    {
      name: 'block',
      about: 'Empty: one thread runs all requests, none of them blocks',
      take: () => Promise.resolve(none('delay', 'nanoseconds')),
    },
    {
      name: 'goroutine',
      about: 'What keeps the process waiting: sockets, timers and the like',
      take: () => Promise.resolve(activeResources()),
    },
    {
      name: 'heap',
      about: 'What is alive. The first request begins sampling and takes ?seconds=N; later ones know what was allocated since',
      take: (request) => profiler.heap(() => pause(request, defaultHeapSeconds)),
    },
    {
      name: 'mutex',
      about: 'Empty: one thread runs all requests, it needs no locks',
      take: () => Promise.resolve(none('delay', 'nanoseconds')),
    },
    { name: 'profile', about: 'CPU, for ?seconds=N', take: (request) => profiler.cpu(() => pause(request, defaultCpuSeconds)) },
    {
      name: 'threadcreate',
      about: 'Empty: threads are made by Node, when it starts',
      take: () => Promise.resolve({ types: [{ type: 'threadcreate', unit: 'count' }], samples: [], at: Date.now() }),
    },
  ];
}

function serveProfile({ name, take }: NamedProfile): Handler {
  return async (request) => {
    const debug = request.query.get('debug') ?? '0';
    const seconds = secondsOf(request, 0);
    if (seconds > mostSeconds) return pprofError(400, `profile duration exceeds ${mostSeconds} seconds`);
    let profile: Profile;
    try {
      profile = await take(request);
    } catch (error) {
      if (!(error instanceof ProfilerBusyError)) throw error;
      return pprofError(500, `Could not enable ${name === 'profile' ? 'CPU ' : ''}profiling: ${error.message}`);
    }
    if (debug !== '0' && name !== 'profile') return textResponse(200, profileText(name, profile));
    const headers = {
      'content-type': 'application/octet-stream',
      // As Go names what was measured over a time, for all but CPU.
      'content-disposition': `attachment; filename="${name}${seconds > 0 && name !== 'profile' ? '-delta' : ''}"`,
      'x-content-type-options': 'nosniff',
    };
    return { status: 200, headers, body: gzipSync(encodeProfile(profile)) };
  };
}

/** Until the time is over, or the client has gone. */
function pause(request: Request, seconds: number): Promise<void> {
  const { signal } = request;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, secondsOf(request, seconds) * 1000);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

function secondsOf(request: Request, fallback: number): number {
  const seconds = request.query.get('seconds') ?? '';
  return /^\d+$/.test(seconds) && Number(seconds) > 0 ? Number(seconds) : fallback;
}

function activeResources(): Profile {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return {
    types: [{ type: 'goroutine', unit: 'count' }],
    samples: [...counts].map(([name, count]) => ({ stack: [{ name, file: '', line: 0 }], values: [count] })),
    at: Date.now(),
  };
}

/** For people: the largest first, each with its stack. */
function profileText(name: string, { samples, types }: Profile): string {
  const last = types.length - 1;
  const value = (values: readonly number[]): number => values[last] ?? 0;
  const total = samples.reduce((sum, { values }) => sum + value(values), 0);
  const lines = samples
    .toSorted((a, b) => value(b.values) - value(a.values))
    .flatMap(({ stack, values }) => [
      `${values.join(' ')} @`,
      ...stack.map((one) => `#\t${one.name}${one.file === '' ? '' : `\t${one.file}:${one.line}`}`),
      '',
    ]);
  return `${name} profile: total ${total} ${types[last]?.type ?? ''}\n${lines.join('\n')}\n`;
}

function index(profiles: readonly NamedProfile[]): Response {
  const rows = profiles.map(({ name, about }) => `<tr><td><a href='${name}?debug=1'>${name}</a></td><td>${about}</td></tr>\n`);
  const page = `<html>\n<head>\n<title>${folder}</title>\n</head>\n<body>\n${folder}\n<table>\n${rows.join('')}</table>\n</body>\n</html>\n`;
  return textResponse(200, page, { 'content-type': 'text/html; charset=utf-8' });
}

/** As Go's pages say it, with the header that its clients look for. */
function pprofError(status: number, text: string): Response {
  return textResponse(status, `${text}\n`, { 'x-go-pprof': '1' });
}
