/**
 * `npm run test:debug-pages [-- --ours EXECUTABLE]`: the pages for operators (flags, status, logs, profiles, priority and fairness), over TLS and
 * on the debug socket, asked of ours and of upstream with the same requests: status, headers and the shape of what they show. Then flags of
 * metrics, traces and profiles that cannot be: what both say before they end.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const { values } = parseArgs({ options: { ours: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-debug-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const etcd = owned.use(await EtcdProcess.start());
const executables = { upstream: findReference('kube-apiserver'), ours: values.ours ?? installOurs(root) } as const;
type Side = keyof typeof executables;

interface Question {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
  /** on the debug socket */
  readonly isLocal?: boolean;
  /** how much of the body is compared */
  readonly shows: (body: Buffer, type: string) => string;
}

/** flags that upstream does not have */
const ownFlags = /^ *(?:cluster-signing-(?:cert|key)-file|data-dir|embedded-controllers|wheelhouse-api|workers)(?:$|[:=\s].*\n)/gm;
const nothing = (): string => '';
const whole = (body: Buffer): string => body.toString();
/** of text whose separator varies: the names before it */
const names = (body: Buffer): string =>
  body
    .toString()
    .replaceAll(ownFlags, '')
    .split('\n')
    .map((line) => line.replace(/[:=\s].*$/, ''))
    .join('\n');
/** keys and types of JSON, all the way down */
const keys = (body: Buffer, type: string): string => {
  if (!type.includes('json')) return '';
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? 'list'
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (key.search(ownFlags) < 0 ? [[key, shape(inner)]] : [])))
        : typeof value;
  return JSON.stringify(shape(JSON.parse(body.toString())), null, 1);
};
const yamlKeys = (body: Buffer): string =>
  [
    ...body
      .toString()
      .replaceAll(ownFlags, '')
      .matchAll(/^( *)([\w-]+):/gm),
  ]
    .map(([, indent = '', key = '']) => indent + key)
    .join('\n');
/** the rows of pages as comma-separated text: which there are */
const table = (body: Buffer): string =>
  body
    .toString()
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.split(',')[0]))
    .join('\n');

const structured = (kind: string, version: string, media = 'application/json'): string =>
  `${media};v=${version};g=config.k8s.io;as=${kind}`;
const versionedPages: readonly Question[] = (
  [
    ['/flagz', 'Flagz'],
    ['/statusz', 'Statusz'],
  ] as const
).flatMap(([path, kind]) => {
  const get = (accept: string | undefined, shows: Question['shows']): Question => ({
    method: 'GET',
    path,
    ...(accept !== undefined && { accept }),
    shows,
  });
  return [
    get(undefined, names),
    get('text/plain', names),
    get('*/*', names),
    get('text/html', whole),
    get('text/plain;v=v1beta1', whole),
    get('application/json', whole),
    get('application/yaml', whole),
    get('application/vnd.kubernetes.protobuf', whole),
    get(structured(kind, 'v1beta1'), keys),
    get(structured(kind, 'v1alpha1'), keys),
    get(structured(kind, 'v1'), whole),
    get(structured('Other', 'v1beta1'), whole),
    get(structured(kind, 'v1beta1', 'application/yaml'), yamlKeys),
    get(structured(kind, 'v1alpha1', 'application/yaml'), yamlKeys),
    get(structured(kind, 'v1beta1', 'application/cbor'), nothing),
    get(structured(kind, 'v1beta1', 'application/vnd.kubernetes.protobuf'), nothing),
    get(`application/json;v=v9;g=config.k8s.io;as=${kind},${structured(kind, 'v1beta1')}`, keys),
    get(`text/html, ${structured(kind, 'v1alpha1')};q=0.5, text/plain;q=0.9`, names),
    get('nonsense', whole),
    ...['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'].map((method): Question => ({ method, path, shows: nothing })),
    { method: 'GET', path: `${path}/`, shows: nothing },
    { method: 'GET', path: `${path}/more`, shows: nothing },
  ];
});

const flowControl: readonly Question[] = ['dump_priority_levels', 'dump_queues', 'dump_requests', 'nothing', ''].flatMap((name) => {
  const path = `/debug/api_priority_and_fairness/${name}`;
  return [
    { method: 'GET', path, shows: name === 'dump_priority_levels' ? table : nothing },
    { method: 'GET', path: `${path}?includeRequestDetails=1`, shows: nothing },
    { method: 'POST', path, body: 'x', shows: nothing },
  ];
});

const profilePaths: readonly Question[] = [
  '/debug/pprof',
  '/debug/pprof/',
  '/debug/pprof/cmdline',
  '/debug/pprof/symbol',
  '/debug/pprof/goroutine',
  '/debug/pprof/goroutine?debug=1',
  '/debug/pprof/heap?seconds=1',
  '/debug/pprof/heap?debug=1',
  '/debug/pprof/allocs?seconds=1',
  '/debug/pprof/block',
  '/debug/pprof/mutex?debug=1',
  '/debug/pprof/threadcreate',
  '/debug/pprof/profile?seconds=1',
  '/debug/pprof/nothing',
  '/debug/pprof/heap/more',
].map((path) => ({ method: 'GET', path, shows: nothing }));

const debugFlags: readonly Question[] = [
  { method: 'GET', path: '/debug/flags', shows: nothing },
  { method: 'GET', path: '/debug/flags/', shows: nothing },
  { method: 'GET', path: '/debug/flags/v', shows: whole },
  { method: 'PUT', path: '/debug/flags/v', body: '3', shows: whole },
  { method: 'PUT', path: '/debug/flags/v', body: '', shows: whole },
  { method: 'PUT', path: '/debug/flags/v', body: 'x', shows: whole },
  { method: 'PUT', path: '/debug/flags/v', body: '-1', shows: whole },
  { method: 'PUT', path: '/debug/flags/v', body: '4294967296', shows: whole },
  { method: 'PUT', path: '/debug/flags/v', body: '0', shows: whole },
];

const logPaths: readonly Question[] = ['/logs', '/logs/', '/logs/none-of-this-name', '/logs/../etc/passwd', '/logs/%2e%2e/etc/passwd'].map(
  (path) => ({ method: 'GET', path, shows: nothing }),
);
const overTls: readonly Question[] = [...versionedPages, ...flowControl, ...profilePaths, ...debugFlags, ...logPaths];
const local = [
  ...profilePaths,
  ...debugFlags,
  { method: 'GET', path: '/metrics', shows: nothing },
  { method: 'GET', path: '/', shows: nothing },
];
const questions: readonly Question[] = [...overTls, ...local.map((one): Question => ({ ...one, isLocal: true }))];

/** Headers that say something about the page. */
const compared = [
  'content-type',
  'warning',
  'location',
  'allow',
  'x-content-type-options',
  'x-go-pprof',
  'content-disposition',
  'content-encoding',
  'vary',
];

function ask(server: ApiServerProcess, socketPath: string, { method, path, accept, body, isLocal, shows }: Question): Promise<string> {
  const headers = {
    ...(accept !== undefined && { accept }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage): void => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const type = response.headers['content-type'] ?? '';
        const shown = compared.flatMap((name) =>
          response.headers[name] === undefined ? [] : [`${name}: ${String(response.headers[name])}`],
        );
        resolve([response.statusCode, ...shown, shows(Buffer.concat(parts), type)].join('\n'));
      });
    };
    const asked =
      isLocal === true
        ? plainRequest({ socketPath, method, path, headers, agent: false }, answered)
        : secureRequest({ host: '127.0.0.1', port: server.port, ...server.credentials, method, path, headers, agent: false }, answered);
    asked.on('error', reject).end(body);
  });
}

async function play(side: Side): Promise<string[]> {
  const folder = join(root, side);
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, 'debug.sock');
  const flags = [
    `--debug-socket-path=${socket}`,
    '--enable-logs-handler=true',
    '--feature-gates=ComponentFlagz=true,ComponentStatusz=true',
  ];
  await using server = await ApiServerProcess.start({ executable: executables[side], folder, storage: { etcd: etcd.endpoint }, flags });
  const answers: string[] = [];
  for (const question of questions) answers.push(await ask(server, socket, question));
  return answers;
}

let differ = 0;
const compare = (what: string, wanted: string | undefined, got: string | undefined): void => {
  if (wanted === got) return;
  differ++;
  const [theirs, mine] = [(wanted ?? '').split('\n'), (got ?? '').split('\n')];
  const lines = [
    ...theirs.filter((one) => !mine.includes(one)).map((one) => `- ${one}`),
    ...mine.filter((one) => !theirs.includes(one)).map((one) => `+ ${one}`),
  ];
  console.log(`--- ${what}\n${lines.slice(0, 20).join('\n')}`);
};

const [upstream, ours] = [await play('upstream'), await play('ours')];
for (const [index, { method, path, accept = '', isLocal }] of questions.entries())
  compare(`${isLocal === true ? 'socket: ' : ''}${method} ${path} ${accept}`, upstream[index], ours[index]);

const file = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};
const tracing = (name: string, fields: string): string =>
  `--tracing-config-file=${file(name, `apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n${fields}\n`)}`;
const wrongFlags: readonly string[] = [
  '--allow-metric-labels=x',
  '--allow-metric-labels=a,b',
  '--allow-metric-labels=a=b',
  '--allow-metric-labels=,=,',
  '--allow-metric-labels=a,b=c,d=e',
  '--allow-metric-labels=a-b,c=d',
  '--allow-metric-labels-manifest=/none',
  `--allow-metric-labels-manifest=${file('bad-1.yaml', 'a: [')}`,
  `--allow-metric-labels-manifest=${file('bad-2.yaml', 'nolabel: a')}`,
  `--allow-metric-labels-manifest=${file('bad-3.yaml', '- a\n- b\n')}`,
  '--show-hidden-metrics-for-version=x',
  '--show-hidden-metrics-for-version=1.37',
  '--show-hidden-metrics-for-version=1.35',
  '--show-hidden-metrics-for-version=1.36.0',
  '--tracing-config-file=/none',
  tracing('high.yaml', 'samplingRatePerMillion: 10000000'),
  tracing('low.yaml', 'samplingRatePerMillion: -1'),
  tracing('endpoint.yaml', 'endpoint: "http://%"'),
  tracing('unknown.yaml', 'bogus: 1'),
  `--tracing-config-file=${file('kind.yaml', 'apiVersion: apiserver.config.k8s.io/v1\nkind: Nope\n')}`,
  `--tracing-config-file=${file('empty.yaml', '')}`,
  '--debug-socket-path=/nonexistent/x.sock',
  '--profiling=maybe',
  '--contention-profiling=maybe',
  '--enable-logs-handler=x',
];

async function complaint(side: Side, flag: string): Promise<string> {
  const folder = join(root, `${side}-wrong`);
  rmSync(folder, { recursive: true, force: true });
  const server = await ApiServerProcess.prepare({ executable: executables[side], folder, storage: { etcd: etcd.endpoint }, flags: [flag] });
  await using _ = server;
  try {
    await server.start();
    return 'it started';
  } catch {
    const lines = readFileSync(server.log, 'utf8').split('\n');
    const line = lines.find((one) => one.startsWith('Error:') || one.includes('command failed')) ?? lines.join('\n');
    return line.replace(/^E\d{4} [\d:.]+ +\d+ \S+\] /, '');
  }
}
for (const flag of wrongFlags) compare(flag, await complaint('upstream', flag), await complaint('ours', flag));

const all = questions.length + wrongFlags.length;
console.log(`${all - differ} of ${all} as upstream's`);
process.exitCode = differ === 0 ? 0 : 1;
