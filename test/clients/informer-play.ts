import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import { SeverableProxy } from './severable-proxy.ts';

export interface InformerPlay {
  readonly program: string;
  readonly server: ApiServerProcess;
  readonly namespace: string;
  readonly watchList: boolean;
  readonly media: 'json' | 'protobuf';
  /** of each kind */
  readonly objects: number;
  /** whether a write that informers missed is a failure; upstream forgets what happened before it was started */
  readonly strict: boolean;
  /** while the server is stopped: makes its store forget all history, so that informers must list again */
  readonly forget?: () => Promise<void>;
  readonly limitSeconds: number;
}

const mediaTypes = { json: 'application/json', protobuf: 'application/vnd.kubernetes.protobuf' };
/** a while after the writers began, so that writes and events are under way */
const disturbAfterMs = 300;

/**
 * The client-go program writes in rounds while its informers listen. Meanwhile the server is stopped and started, then killed, then
 * the informers are cut off until what they watched from is compacted. Returns what the program found; it throws when that is bad.
 */
export async function playInformers(play: InformerPlay): Promise<string[]> {
  const { server, namespace } = play;
  await server.post('/api/v1/namespaces', { metadata: { name: namespace } });
  // Pods are refused without it, and no controller runs here that would make it.
  await server.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  using proxy = await SeverableProxy.start(server.port);
  const child = spawn(
    play.program,
    [
      `-kubeconfig=${server.files.kubeconfig}`,
      `-listen=https://127.0.0.1:${proxy.port}`,
      `-namespace=${namespace}`,
      `-media=${mediaTypes[play.media]}`,
      `-objects=${play.objects}`,
      `-strict=${play.strict}`,
      `-limit=${play.limitSeconds}s`,
      'informers',
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, KUBE_FEATURE_WatchListClient: String(play.watchList) } },
  );
  const impatient = setTimeout(() => child.kill('SIGKILL'), (play.limitSeconds + 10) * 1000);
  const closed = once(child, 'close') as Promise<[number | null]>;
  // client-go logs what it retries.
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));

  let disturbance = Promise.resolve();
  const restart = async (signal: NodeJS.Signals): Promise<void> => {
    await sleep(disturbAfterMs);
    await server.stop(signal);
    await server.start();
  };
  const atPoint: Readonly<Record<string, () => Promise<void> | void>> = {
    'before first change': () => void (disturbance = restart('SIGTERM')),
    'before second change': () => void (disturbance = restart('SIGKILL')),
    'after first change': () => disturbance,
    'after second change': () => disturbance,
    'before unheard change': () => proxy.sever(),
    'after unheard change': async () => {
      await server.stop();
      await play.forget?.();
      await server.start();
      proxy.mend();
    },
  };
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const point = /^at (.*)/.exec(line)?.[1];
    if (point === undefined) lines.push(line);
    else {
      await atPoint[point]?.();
      child.stdin.write('go on\n');
    }
  }
  const [code] = await closed;
  clearTimeout(impatient);
  if (code !== 0) throw new Error(`${lines.join('; ') || `ended with ${code}`}\n${log}`);
  return lines;
}
