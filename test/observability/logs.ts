/**
 * `npm run test:logs [-- --ours EXECUTABLE] [-- --show]`: ours and upstream, in both formats and at several verbosities, are asked the same;
 * then lines of every kind are looked for in both logs and compared: header, message and the names of their fields, in order. What
 * varies (times, places, addresses) is checked by form.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as startRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WebhookServer } from '../clients/webhook-server.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { LogLine } from './log-lines.ts';
import { parseJsonLog, parseTextLog } from './log-lines.ts';

const { values } = parseArgs({ options: { ours: { type: 'string' }, show: { type: 'boolean', default: false } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-logs-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const etcd = owned.use(await EtcdProcess.start());
const hooks = owned.use(new WebhookServer(new Map([['/validate', () => ({ response: { allowed: true } })]])));
await hooks.listen();

const configMaps = '/api/v1/namespaces/default/configmaps';

/** What a kind of line is known by, and from which verbosity on there are such lines. */
interface LineKind {
  readonly name: string;
  readonly verbosity: number;
  readonly find: (line: LogLine) => boolean;
  /** values that must be the same on both sides */
  readonly same?: readonly string[];
}

const agent = 'log-reader/1';
const isRequest = (line: LogLine, uri: string, verb: string): boolean =>
  line.message === 'HTTP' && line.fields.get('userAgent') === agent && line.fields.get('URI') === uri && line.fields.get('verb') === verb;

const kinds: readonly LineKind[] = [
  { name: 'a flag', verbosity: 1, find: ({ message }) => message.startsWith('FLAG: --event-ttl=') },
  {
    name: 'a create',
    verbosity: 3,
    find: (line) => isRequest(line, `${configMaps}?fieldManager=x`, 'POST'),
    same: ['contentType', 'resp', 'apf_pl', 'apf_fs'],
  },
  { name: 'a get of what is not there', verbosity: 3, find: (line) => isRequest(line, `${configMaps}/missing`, 'GET'), same: ['resp'] },
  { name: 'a list', verbosity: 3, find: (line) => isRequest(line, `${configMaps}?limit=1`, 'LIST'), same: ['resp'] },
  { name: 'a patch', verbosity: 3, find: (line) => isRequest(line, `${configMaps}/logged`, 'PATCH'), same: ['contentType', 'resp'] },
  { name: 'a delete', verbosity: 3, find: (line) => isRequest(line, `${configMaps}/logged`, 'DELETE'), same: ['resp'] },
  { name: 'a plain path', verbosity: 3, find: (line) => isRequest(line, '/version', 'GET'), same: ['resp'] },
  { name: 'a watch', verbosity: 3, find: (line) => isRequest(line, `${configMaps}?watch=1&timeoutSeconds=1`, 'WATCH'), same: ['resp'] },
  { name: 'credentials that are none', verbosity: 0, find: ({ message }) => message === 'Unable to authenticate the request' },
  {
    name: 'the call of a webhook',
    verbosity: 8,
    find: ({ message, fields }) => message === 'Request' && fields.get('url')?.includes('/validate') === true,
    same: ['verb'],
  },
  {
    name: 'what it was sent',
    verbosity: 8,
    find: ({ message, fields }) => message === 'Request Body' && fields.get('body')?.includes('AdmissionReview') === true,
  },
  {
    name: 'the response of a webhook',
    verbosity: 8,
    find: ({ message, fields }) =>
      message === 'Response' && fields.get('headers')?.includes('application/json') === true && fields.get('status') === '200 OK',
  },
  {
    name: 'what it sent',
    verbosity: 8,
    find: ({ message, fields }) => message === 'Response Body' && fields.get('body')?.includes('"allowed":true') === true,
  },
];

function ask(server: ApiServerProcess, method: string, path: string, body?: unknown, extra: Record<string, string> = {}): Promise<void> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    'user-agent': agent,
    ...(text !== undefined && {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
    ...extra,
  };
  const { ca } = server.credentials;
  const credentials = extra['authorization'] === undefined ? server.credentials : { ca };
  return new Promise((resolve, reject) => {
    const asked = startRequest(`${server.url}${path}`, { ...credentials, method, headers }, (response) => {
      response.resume().on('end', () => resolve());
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

async function play(executable: string, name: string, format: string, verbosity: number): Promise<LogLine[]> {
  const server = await ApiServerProcess.start({
    executable,
    folder: join(root, `${name}-${format}-${verbosity}`),
    storage: { etcd: etcd.endpoint },
    flags: [`--logging-format=${format}`, `-v=${verbosity}`],
  });
  try {
    const configuration = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    await server.request('DELETE', `${configuration}/logged`);
    await server.post(configuration, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'logged' },
      webhooks: [
        {
          name: 'validate.example.com',
          clientConfig: { url: `https://127.0.0.1:${hooks.port}/validate`, caBundle: hooks.caBundle },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    const configMap = (one: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: one } });
    for (let attempt = 0; hooks.takeAsked().length === 0; attempt++) {
      if (attempt > 100) throw new Error('the webhook is not called');
      await server.request('POST', `${configMaps}?dryRun=All`, configMap(`probe-${attempt}`));
      await sleep(100);
    }
    await ask(server, 'POST', `${configMaps}?fieldManager=x`, configMap('logged'));
    await ask(server, 'GET', `${configMaps}/missing`);
    await ask(server, 'GET', `${configMaps}?limit=1`);
    await ask(server, 'PATCH', `${configMaps}/logged`, { data: { a: 'b' } });
    await ask(server, 'GET', `${configMaps}?watch=1&timeoutSeconds=1`);
    await ask(server, 'DELETE', `${configMaps}/logged`);
    await ask(server, 'GET', '/version');
    await ask(server, 'GET', '/version', undefined, { authorization: 'Bearer none' });
    await server.request('DELETE', `${configuration}/logged`);
  } finally {
    await server.stop();
  }
  const text = readFileSync(server.log, 'utf8');
  return format === 'json' ? parseJsonLog(text) : parseTextLog(text);
}

/** Everything of a line that has to be the same: severity, verbosity, message, names of fields in order, and some values. */
function shape(line: LogLine | undefined, same: readonly string[]): string {
  if (line === undefined) return 'no such line';
  const message = line.message.startsWith('FLAG:') ? line.message : JSON.stringify(line.message);
  const fields = [...line.fields].map(([key, value]) => (same.includes(key) ? `${key}=${value}` : key));
  return `${line.severity} ${line.verbosity ?? '-'} ${message} ${fields.join(' ')}`;
}

const executables = [
  ['upstream', findReference('kube-apiserver')],
  ['ours', values.ours ?? installOurs(root)],
] as const;
let compared = 0;
let differ = 0;
for (const format of ['text', 'json']) {
  for (const verbosity of [0, 3, 8]) {
    const [theirs, ours] = [
      await play(executables[0][1], executables[0][0], format, verbosity),
      await play(executables[1][1], executables[1][0], format, verbosity),
    ];
    for (const kind of kinds) {
      const [wanted, got] = [theirs, ours].map((lines) => shape(lines.find(kind.find), kind.same ?? []));
      compared++;
      const isThere = wanted !== 'no such line';
      if (isThere !== verbosity >= kind.verbosity)
        console.log(`--- ${kind.name}: not as expected of upstream at -v=${verbosity}, ${format}: ${wanted}`);
      if (wanted !== got) {
        differ++;
        console.log(`--- ${kind.name}, ${format}, -v=${verbosity}\n- ${wanted}\n+ ${got}`);
      } else if (values.show) console.log(`${format} -v=${verbosity} ${wanted}`);
    }
  }
}

/** Flags that cannot be: what the process says before it ends. */
const wrongFlags: readonly (readonly string[])[] = [
  ['--logging-format=xml'],
  ['-v=-1'],
  ['-v=a'],
  ['-v=2147483648'],
  ['--vmodule=a'],
  ['--vmodule=a=x'],
  ['--vmodule=a=5=6'],
  ['--log-flush-frequency=0s'],
  ['--log-flush-frequency=x'],
  ['--log-json-info-buffer-size=zz'],
  ['--log-json-split-stream=true'],
  ['--log-text-info-buffer-size=1Ki'],
  ['--logging-format=json', '--vmodule=a=5'],
  ['--logging-format=json', '--feature-gates=LoggingBetaOptions=false'],
  ['--log-flush-frequency=0', '--logging-format=xml', '--vmodule=x=3', '--log-json-split-stream', '--log-text-info-buffer-size=5'],
];
for (const flags of wrongFlags) {
  const [wanted, got] = executables.map(([, executable]) => complaint(executable, flags));
  compared++;
  if (wanted === got) continue;
  differ++;
  console.log(`--- ${flags.join(' ')}\n- ${wanted}\n+ ${got}`);
}

function complaint(executable: string, flags: readonly string[]): string {
  try {
    execFileSync(executable, flags, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000, cwd: root });
    return 'it started';
  } catch (error) {
    const text = String((error as { stderr?: Buffer }).stderr);
    const [line = ''] = text.split('\n').filter((one) => one.startsWith('Error:') || one.includes('command failed'));
    return line.replace(/^E\d{4} [\d:.]+ +\d+ \S+\] /, '');
  }
}

console.log(`${compared - differ} of ${compared} as upstream's`);
process.exitCode = differ === 0 ? 0 : 1;
