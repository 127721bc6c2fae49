/** Requests of a client that wants to be taken for another user, and who they are by the policy table. */
import type { Random } from './random.ts';
import type { Identity, Peer, Token, World } from './identity-world.ts';
import { allMarkers, connectionOf, impersonators, names, policy } from './identity-world.ts';

export interface Attempt {
  readonly method: string;
  readonly target: string;
  readonly peer: Peer;
  /** of the peer's certificate, but a connection that the server has not seen */
  readonly isFresh: boolean;
  readonly lines: readonly string[];
  readonly body?: string;
  /** the objects that the path is of, when it is written as it should be */
  readonly marker?: string;
}

/** 401, 400, 403 because no user may act so, or a user. */
export type Expected = 'unauthorized' | 'bad-request' | 'forbidden' | Identity;

export const reviewPath = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const review = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';
const remoteNames = [
  'X-Remote-User',
  'x-remote-user',
  'X-User',
  'X_Remote_User',
  'X-Remote-Users',
  'X-Remote-Group',
  'X-REMOTE-GROUP',
  'X-Group',
  'X-Remote-Uid',
  'X-Remote-Extra-a',
  'X-Remote-Extra-__proto__',
];
const actingNames = [
  'Impersonate-User',
  'impersonate-user',
  'Impersonate-Group',
  'IMPERSONATE-GROUP',
  'Impersonate_User',
  'Impersonate-Uid',
  'Impersonate-Extra-a',
  'Impersonate-Extra-A%2fb',
  'Impersonate-Extra-__proto__',
  'Impersonate-Users',
];
const paths: readonly (readonly [path: string, marker: string])[] = ['a', 'b', 'c'].flatMap(
  (namespace) =>
    [
      [`/api/v1/namespaces/${namespace}/configmaps/x`, `marker-${namespace}`],
      [`/api/v1/namespaces/${namespace}/configmaps`, `marker-${namespace}`],
      [`/api/v1/namespaces/${namespace}/secrets/s`, `marker-secret-${namespace}`],
    ] as const,
);
/** Ways to write a path so that a parser may read it otherwise. */
const twists: readonly ((path: string, random: Random) => string)[] = [
  (path) => path.replace('/api', '//api'),
  (path) => path.replace('namespaces/', 'namespaces//'),
  (path) => path.replace('namespaces/', 'namespaces/./'),
  (path, random) => path.replace(/namespaces\/(.)/, `namespaces/${random.pick(['a', 'b', 'c'])}/../$1`),
  (path, random) => path.replace(/namespaces\/./, (found) => `${found.slice(0, -1)}%6${random.below(4)}`),
  (path, random) => path.replace(/namespaces\/(.)/, `namespaces/${random.pick(['a', 'b', 'c'])}%2f..%2f$1`),
  (path, random) => path.replace(/namespaces\/(.)/, `namespaces/${random.pick(['a', 'b'])}/namespaces/$1`),
  (path) => path.replace('v1/namespaces', 'v1/proxy/namespaces'),
  (path) => path.replace('configmaps', 'ConfigMaps'),
  (path) => `${path}/`,
  (path) => `${path}/status`,
  (path) => `${path}?pretty=1&fieldSelector=metadata.namespace%3Da`,
  (path) => `${path};x=1`,
  (path) => `${path}%00`,
  (path) => `${path}%2f..`,
  (path) => path.replace(/namespaces\/.\//, ''),
  (path) => `/healthz/..${path}`,
  (path) => `/version/../${path}`,
  (path) => path.toUpperCase(),
  (path) => `https://kubernetes${path}`,
  (path, random) => path.slice(0, random.below(path.length)),
];

export function makeAttempt(world: World, random: Random): Attempt {
  const peer = random.below(4) === 0 ? random.pick(world.peers.slice(0, 10)) : random.pick(world.peers);
  const lines = [
    ...(random.below(2) === 0 ? manyLines(random, remoteNames) : []),
    ...(random.below(3) === 0 ? manyLines(random, actingNames) : []),
    ...(random.below(3) === 0 ? tokenLines(random, random.pick(world.tokens)) : []),
  ];
  const isFresh = random.below(200) === 0;
  if (random.below(2) === 0) {
    return { method: 'POST', target: reviewPath, peer, isFresh, lines: ['Content-Type', 'application/json', ...lines], body: review };
  }
  const [path, marker] = random.pick(paths);
  if (random.below(2) === 0) return { method: 'GET', target: path, peer, isFresh, lines, marker };
  const target = random.below(3) === 0 ? path : random.pick(twists)(path, random);
  const isMaster = peer.shown.kind === 'client' && peer.shown.identity.groups.includes('system:masters');
  const mayWrite = isMaster || peer.shown.kind === 'proxy';
  const method =
    mayWrite || random.below(2) === 0 ? 'GET' : random.pick(['DELETE', 'PUT', 'PATCH', 'POST', 'get', 'HEAD', 'OPTIONS', 'TRACE', 'X']);
  return { method, target, peer, isFresh, lines, ...(method !== 'GET' && { body: '{}' }) };
}

function manyLines(random: Random, from: readonly string[]): string[] {
  return Array.from({ length: 1 + random.below(4) }, () => [random.pick(from), textOf(random)]).flat();
}

/** Values as bytes, which node shows as characters. */
function textOf(random: Random): string {
  const text = random.below(8) === 0 ? '' : random.below(3) === 0 ? `${random.pick(names)},${random.pick(names)}` : random.pick(names);
  return Buffer.from(text).toString('latin1').trim();
}

function tokenLines(random: Random, { text }: Token): string[] {
  const protocol = tokenProtocol + Buffer.from(text).toString('base64url');
  const upgrade = ['Upgrade', 'websocket', 'Connection', 'Upgrade'];
  switch (random.below(10)) {
    case 0:
      return [...upgrade, 'Sec-WebSocket-Protocol', `v4.channel.k8s.io,${protocol}`];
    case 1:
      return ['Sec-WebSocket-Protocol', `a,${protocol}`];
    case 2:
      return [...upgrade, 'Sec-WebSocket-Protocol', protocol];
    case 3:
      return ['Authorization', `Basic ${text}`];
    case 4:
      return ['Authorization', `Bearer  ${text}`];
    case 5:
      return ['Authorization', 'Bearer nobody', 'Authorization', `Bearer ${text}`];
    default:
      return ['Authorization', `${random.pick(['Bearer', 'bearer'])} ${text}`];
  }
}

/** Who the sender of an attempt is, by the table alone: written anew here, from upstream's rules, and not from the server's code. */
export function expectedOf(attempt: Attempt, tokens: ReadonlyMap<string, Identity | undefined>): Expected {
  const identity = authenticated(attempt, tokens);
  if (identity === undefined) return 'unauthorized';
  const own = withSystemGroup(identity);
  const user = first(attempt.lines, 'impersonate-user');
  const wanted = {
    groups: all(attempt.lines, 'impersonate-group'),
    uid: first(attempt.lines, 'impersonate-uid'),
    extra: prefixed(attempt.lines, 'impersonate-extra-'),
  };
  if (user === '') return wanted.groups.length > 0 || wanted.uid !== '' || wanted.extra.size > 0 ? 'bad-request' : own;
  const mayAct = impersonators.get(own.name);
  const isAllowed =
    isMaster(own) ||
    (mayAct !== undefined &&
      mayAct.users.includes(user) &&
      wanted.groups.every((group) => mayAct.groups.includes(group)) &&
      wanted.uid === '' &&
      wanted.extra.size === 0);
  if (!isAllowed) return 'forbidden';
  const groups =
    wanted.groups.length === 0 && user === 'system:serviceaccount:a:robot'
      ? ['system:serviceaccounts', 'system:serviceaccounts:a']
      : wanted.groups;
  if (user === 'system:anonymous') return { name: user, groups: [...new Set([...groups, 'system:unauthenticated'])] };
  return withSystemGroup({ name: user, groups });
}

function authenticated({ peer, lines }: Attempt, tokens: ReadonlyMap<string, Identity | undefined>): Identity | undefined {
  const { shown } = peer;
  if (shown.kind === 'proxy') {
    const name = first(lines, 'x-remote-user') || first(lines, 'x-user');
    const groups = [...all(lines, 'x-remote-group'), ...all(lines, 'x-group')].filter((group) => group !== '');
    if (name !== '') return { name, groups };
  }
  if (shown.kind === 'client' && shown.identity.name !== '') return shown.identity;
  const [scheme = '', token = ''] = first(lines, 'authorization').trim().split(' ');
  const hasToken = scheme.toLowerCase() === 'bearer' && token !== '';
  const holder = hasToken ? tokens.get(token) : undefined;
  if (holder !== undefined) return holder;
  const protocols = first(lines, 'upgrade') === 'websocket' ? first(lines, 'sec-websocket-protocol').split(',') : [];
  const encoded = protocols.find((one) => one.startsWith(tokenProtocol));
  const other =
    encoded === undefined || protocols.length === 1
      ? undefined
      : tokens.get(Buffer.from(encoded.slice(tokenProtocol.length), 'base64url').toString());
  if (other !== undefined) return other;
  const isStranger = shown.kind === 'nothing' && !hasToken && encoded === undefined;
  return isStranger ? { name: 'system:anonymous', groups: ['system:unauthenticated'] } : undefined;
}

function withSystemGroup(identity: Identity): Identity {
  const { name, groups } = identity;
  const isSettled = name === 'system:anonymous' || groups.includes('system:authenticated') || groups.includes('system:unauthenticated');
  return isSettled ? identity : { ...identity, groups: [...groups, 'system:authenticated'] };
}

export function isMaster({ groups }: Identity): boolean {
  return groups.includes('system:masters');
}

export function markersOf(identity: Identity): ReadonlySet<string> {
  if (isMaster(identity)) return new Set(allMarkers);
  return new Set([`user ${identity.name}`, ...identity.groups.map((group) => `group ${group}`)].flatMap((who) => policy.get(who) ?? []));
}

/** What a response gives beyond the table, or keeps back; undefined when it is right. */
export function faultOf({ method, target, marker }: Attempt, expected: Expected, status: number, text: string): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  const shown = new Set(text.match(/marker-(?:secret-)?[abc]/g) ?? []);
  const known = typeof expected === 'string' ? new Set<string>() : markersOf(expected);
  const excess = [...shown].filter((one) => !known.has(one));
  if (excess.length > 0) return `shows ${excess.join()}`;
  const isGiven = typeof expected !== 'string' && (isMaster(expected) || expected.groups.includes('system:authenticated'));
  if (target === reviewPath && method === 'POST') {
    const wanted = expected === 'unauthorized' ? 401 : expected === 'bad-request' ? 400 : expected === 'forbidden' || !isGiven ? 403 : 201;
    if (status !== wanted) return `${status} instead of ${wanted}: ${text.slice(0, 200)}`;
    if (status !== 201 || typeof expected === 'string') return undefined;
    const { username, groups = [] } = (JSON.parse(text) as { status: { userInfo: { username: string; groups?: string[] } } }).status
      .userInfo;
    const isSame = username === expected.name && JSON.stringify(groups) === JSON.stringify(expected.groups);
    return isSame ? undefined : `taken for ${username} of ${JSON.stringify(groups)}`;
  }
  if (expected === 'unauthorized' && status < 400) return `${status} for nobody`;
  if (marker === undefined || typeof expected === 'string') return undefined;
  const wanted = known.has(marker) ? 200 : 403;
  return status === wanted ? undefined : `${status} instead of ${wanted}`;
}

export async function send(
  world: World,
  { method, target, peer, isFresh, lines, body }: Attempt,
): Promise<{ status: number; text: string }> {
  return world.send(method, target, isFresh ? connectionOf(peer.pair) : peer.connection, lines, body);
}

function text(value: string): string {
  return Buffer.from(value, 'latin1').toString();
}

function all(lines: readonly string[], name: string): string[] {
  return lines.flatMap((one, at) => (at % 2 === 0 && one.toLowerCase() === name ? [text(lines[at + 1] as string)] : []));
}

function first(lines: readonly string[], name: string): string {
  return all(lines, name)[0] ?? '';
}

function prefixed(lines: readonly string[], prefix: string): Set<string> {
  return new Set(lines.filter((one, at) => at % 2 === 0 && one.toLowerCase().startsWith(prefix)));
}
