/** A command of kubectl that a kubelet handles in the end. */
export interface Command {
  readonly line: string;
  readonly input?: string;
  /** over SPDY, as kubectl did before it spoke WebSocket */
  readonly spdy?: boolean;
}

/** A request that goes on to a kubelet, a pod or a service. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const executions: readonly Command[] = [
  { line: 'exec one -- echo hello' },
  { line: 'exec one -- true' },
  { line: "exec one -- sh -c 'echo out; echo err >&2; exit 3'" },
  { line: "exec one -- sh -c 'seq 1 30000'" },
  { line: 'exec -i one -- head -c 1000', input: 'line\n'.repeat(200) },
  { line: 'exec -i one -- head -c 10', input: 'line\n'.repeat(5000) },
  { line: 'exec one -- no-such-command' },
  { line: 'exec two -c b -- echo hello' },
  { line: 'exec two -c nobody -- echo hello' },
  { line: 'exec dead -- ls' },
  { line: 'exec nowhere -- ls' },
];

export const commands: readonly Command[] = [
  ...['', ' --tail=3', ' --limit-bytes=20', ' --timestamps --tail=2', ' --since=1h', ' -c a --tail=1', ' -c nobody', ' --previous'].map(
    (options) => ({ line: `logs one${options}` }),
  ),
  ...['two', 'two --all-containers --tail=1', 'nowhere', 'dead', 'nobody'].map((what) => ({ line: `logs ${what}` })),
  ...executions,
  ...executions.map((command) => ({ ...command, spdy: true })),
];

const pods = '/api/v1/namespaces/default/pods';
const services = '/api/v1/namespaces/default/services';
const proxy = `${pods}/one/proxy`;
const upgrade = { connection: 'Upgrade', upgrade: 'echo' };
const get = (path: string, headers?: Question['headers']): Question => ({ method: 'GET', path, ...(headers && { headers }) });

export const questions: readonly Question[] = [
  ...['', '/', '?a=b', '/a/b?x=1&y=%20z', '/a//b/../c/', '/a%20b!/(c)%3Fd%2Fe'].map((rest) => get(proxy + rest)),
  ...['DELETE', 'HEAD', 'OPTIONS'].map((method) => ({ method, path: `${proxy}/p` })),
  ...['PATCH', 'POST', 'PUT'].map((method) => ({ method, path: `${proxy}/p`, headers: { 'content-type': 'text/x' }, body: 'body' })),
  { method: 'POST', path: proxy, body: 'x' },
  get(`${proxy}/x`, { 'x-custom': '1', 'x-forwarded-for': '192.0.2.9', te: 'trailers', 'x-remote-user': 'me' }),
  ...['/abs/path/?q=1', 'http://elsewhere/x', 'rel', `${proxy}/y`].map((to) => get(`${proxy}/redirect${to}`)),
  ...[204, 404, 500].map((status) => get(`${proxy}/status/${status}`)),
  get(`${proxy}/page`),
  get(`${proxy}/hang-up`),
  get(`${proxy}/up?q=1`, upgrade),
  ...['one:POD', 'http:one:POD', 'https:one:POD', 'one:1', 'one:99999', 'ftp:one:1', 'nobody', 'two'].map((id) =>
    get(`${pods}/${id}/proxy/z`),
  ),
  get(`${pods}/one:1/proxy/z`, upgrade),
  ...['web', 'web:http', 'web:80', 'web:82', 'web:81', 'web:nobody', 'https:web:http', 'nobody:80'].map((id) =>
    get(`${services}/${id}/proxy/x?y=z`),
  ),
  ...['near', 'near:POD', 'http:near:POD', 'far', 'unknown', 'nobody'].map((id) => get(`/api/v1/nodes/${id}/proxy/x`)),
  ...[
    '?tailLines=2',
    '?tailLines=-1',
    '?sinceTime=x',
    '?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
    '?stream=Stdout',
    '?limitBytes=x',
  ].map((options) => get(`${pods}/one/log${options}`)),
  get(`${pods}/one/log?insecureSkipTLSVerifyBackend=true&tailLines=1`),
  get(`${pods}/distrusted/log`),
  { method: 'POST', path: `${pods}/one/log` },
  get(`${pods}/one/exec?command=ls`),
  { method: 'PUT', path: `${pods}/one/exec?command=ls` },
  { method: 'POST', path: `${pods}/one/portforward` },
  get(`${pods}/one/attach`, upgrade),
];
