/** A server with a few objects, people who may read some of them, and credentials of every kind, good and bad. */
import { createHmac, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { KeyPair } from '../../src/base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';
import { assemble } from '../../src/controlplane/assemble.ts';
import { completeConfig } from '../../src/controlplane/config.ts';
import type { ControlPlane } from '../../src/controlplane/control-plane.ts';
import { signJwt } from '../../src/server/access/authn/service-account/jwt.ts';
import { readSigningKey } from '../../src/server/access/authn/service-account/keys.ts';
import { Connection } from '../../src/server/http/connection.ts';
import type { RequestSource } from '../../src/server/http/request.ts';
import { Request } from '../../src/server/http/request.ts';
import type { Response } from '../../src/server/http/response.ts';
import type { Random } from './random.ts';

export interface Identity {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a connection's certificate proves. */
export type Shown =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'bad' }
  | { readonly kind: 'proxy' }
  | { readonly kind: 'client'; readonly identity: Identity };

export interface Peer {
  readonly what: string;
  readonly shown: Shown;
  readonly pair: KeyPair | undefined;
  readonly connection: Connection;
}

/** A bearer token; undefined: of no user. */
export interface Token {
  readonly what: string;
  readonly text: string;
  readonly holder: Identity | undefined;
}

/** Names that people have, and names that are nearly theirs. */
export const names: readonly string[] = [
  'alice',
  'bob',
  'ivan',
  'Alice',
  'bob ',
  'team:a',
  'team:b',
  'team:a,team:b',
  'system:masters',
  ' system:masters',
  'system:masters,',
  'a,system:masters',
  'SYSTEM:MASTERS',
  'system:masters\u200b',
  'system:m\u0430sters',
  '\u017fystem:masters',
  'O=system:masters',
  'system:authenticated',
  'system:unauthenticated',
  'system:anonymous',
  'system:serviceaccount:a:robot',
  'system:serviceaccount:a:robot:x',
  'system:node:n',
  'system:nodes',
  'system:admin',
  'constructor',
  '*',
  'jürgen',
];

/** What may be read, by user or group; system:masters may do everything. */
export const policy: ReadonlyMap<string, readonly string[]> = new Map([
  ['user alice', ['marker-a']],
  ['group team:a', ['marker-a']],
  ['user bob', ['marker-b']],
  ['group team:b', ['marker-b']],
  ['user system:serviceaccount:a:robot', ['marker-secret-c']],
]);
/** Who may act as whom: user names, and groups that may come with them. */
export const impersonators: ReadonlyMap<string, { readonly users: readonly string[]; readonly groups: readonly string[] }> = new Map([
  ['ivan', { users: ['bob'], groups: ['team:b'] }],
]);
export const allMarkers: readonly string[] = ['a', 'b', 'c'].flatMap((namespace) => [`marker-${namespace}`, `marker-secret-${namespace}`]);

const day = 86_400_000;

export class World implements AsyncDisposable {
  readonly controlPlane: ControlPlane;
  readonly address: AddressInfo;
  readonly authority: KeyPair;
  readonly peers: readonly Peer[];
  readonly tokens: readonly Token[];
  readonly admin: Peer;

  private constructor(
    controlPlane: ControlPlane,
    address: AddressInfo,
    authority: KeyPair,
    peers: readonly Peer[],
    tokens: readonly Token[],
  ) {
    this.controlPlane = controlPlane;
    this.address = address;
    this.authority = authority;
    this.peers = peers;
    this.tokens = tokens;
    this.admin = peers[0] as Peer;
  }

  static async start(random: Random): Promise<World> {
    const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
    const [authority, proxyAuthority, strangers] = ['ca', 'proxy-ca', 'ca'].map((commonName) =>
      createAuthority({ commonName }, validity),
    ) as [KeyPair, KeyPair, KeyPair];
    const tokenKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const serving = issueCertificate(authority, {
      subject: { commonName: 'server' },
      uses: ['server'],
      names: ['127.0.0.1', 'localhost'],
      validity,
    });
    const config = completeConfig({
      serving: { address: '127.0.0.1', port: 0, certificate: serving },
      authentication: {
        clientAuthorities: authority.certificate,
        frontProxy: {
          authorities: proxyAuthority.certificate,
          allowedNames: ['front'],
          userHeaders: ['X-Remote-User', 'X-User'],
          uidHeaders: ['X-Remote-Uid'],
          groupHeaders: ['X-Remote-Group', 'X-Group'],
          extraPrefixes: ['X-Remote-Extra-'],
        },
        tokens: 'static-bob,bob,uid-1,"team:x,system:authenticated"\nstatic-ivan,ivan,uid-2\n',
        bootstrapTokens: true,
        serviceAccounts: { signingKey: tokenKey, keys: [tokenKey] },
      },
    });
    const controlPlane = await assemble(config);
    const address = await controlPlane.start();
    const issue = (issuer: KeyPair, identity: Identity, uses: readonly ('client' | 'server')[] = ['client'], times = validity): KeyPair =>
      issueCertificate(issuer, { subject: { commonName: identity.name, organizations: identity.groups }, uses, validity: times });
    const past = { from: new Date(Date.now() - 2 * day), to: new Date(Date.now() - day) };
    const masters = { name: 'root', groups: ['system:masters'] };
    const peers: Peer[] = [
      peer('administrator', { kind: 'client', identity: masters }, issue(authority, masters)),
      peer('nobody', { kind: 'nothing' }, undefined),
      peer('the front proxy', { kind: 'proxy' }, issue(proxyAuthority, { name: 'front', groups: [] })),
      peer('another proxy', { kind: 'bad' }, issue(proxyAuthority, { name: 'other', groups: ['system:masters'] })),
      peer('a stranger', { kind: 'bad' }, issue(strangers, masters)),
      peer('one of old', { kind: 'bad' }, issue(authority, masters, ['client'], past)),
      peer('a server', { kind: 'bad' }, issue(authority, masters, ['server'])),
    ];
    for (const name of ['alice', 'bob', 'ivan'])
      peers.push(peer(name, { kind: 'client', identity: { name, groups: [] } }, issue(authority, { name, groups: [] })));
    for (let i = 0; i < 250; i++) {
      const identity = { name: random.pick(names), groups: Array.from({ length: random.below(4) }, () => random.pick(names)) };
      const isGood = random.below(5) > 0;
      peers.push(
        peer(`certificate ${i}`, isGood ? { kind: 'client', identity } : { kind: 'bad' }, issue(isGood ? authority : strangers, identity)),
      );
    }
    const world = new World(controlPlane, address, authority, peers, []);
    const tokens = await world.#furnish(tokenKey);
    return new World(controlPlane, address, authority, peers, tokens);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.controlPlane.stop();
  }

  /** One request straight into the handler. */
  async send(
    method: string,
    target: string,
    from: Connection,
    lines: readonly string[],
    body?: string,
  ): Promise<{ status: number; text: string }> {
    const headers: Record<string, string> = {};
    for (let at = 0; at < lines.length; at += 2) {
      const name = (lines[at] as string).toLowerCase();
      const known = headers[name];
      headers[name] = known === undefined ? (lines[at + 1] as string) : name === 'authorization' ? known : `${known}, ${lines[at + 1]}`;
    }
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const source = {
      method,
      target,
      protocol: 'HTTP/1.1' as const,
      headers,
      lines,
      connection: from,
      readBody: async () => bytes ?? Buffer.alloc(0),
      body: undefined,
      onClose: () => {},
    };
    const request = requestOf(source);
    if (request === undefined) return { status: 400, text: '' };
    const response = await this.controlPlane.handler(request);
    return { status: response.status, text: await textOf(response) };
  }

  async #admin(method: string, target: string, object: object): Promise<{ status?: { token?: string } }> {
    const { status, text } = await this.send(
      method,
      target,
      this.admin.connection,
      ['Content-Type', 'application/json'],
      JSON.stringify(object),
    );
    if (status >= 300) throw new Error(`${method} ${target}: ${status} ${text}`);
    return JSON.parse(text) as { status?: { token?: string } };
  }

  async #furnish(tokenKey: string): Promise<Token[]> {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const grant = async (namespace: string, resources: readonly string[], subjects: readonly object[]): Promise<void> => {
      const metadata = { name: `read-${resources.join()}` };
      const rules = [{ apiGroups: [''], resources, verbs: ['get', 'list'] }];
      await this.#admin('POST', `${rbac}/namespaces/${namespace}/roles`, { metadata, rules });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', ...metadata };
      await this.#admin('POST', `${rbac}/namespaces/${namespace}/rolebindings`, { metadata, roleRef, subjects });
    };
    for (const namespace of ['a', 'b', 'c']) {
      await this.#admin('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
      await this.#admin('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
        metadata: { name: 'x' },
        data: { marker: `marker-${namespace}` },
      });
      await this.#admin('POST', `/api/v1/namespaces/${namespace}/secrets`, {
        metadata: { name: 's', annotations: { marker: `marker-secret-${namespace}` } },
      });
    }
    const subject = (kind: string, name: string): object => ({ kind, name, apiGroup: 'rbac.authorization.k8s.io' });
    await grant('a', ['configmaps'], [subject('User', 'alice'), subject('Group', 'team:a')]);
    await grant('b', ['configmaps'], [subject('User', 'bob'), subject('Group', 'team:b')]);
    await grant('c', ['secrets'], [{ kind: 'ServiceAccount', namespace: 'a', name: 'robot' }]);
    const rules = [
      { apiGroups: [''], resources: ['users'], resourceNames: ['bob'], verbs: ['impersonate'] },
      { apiGroups: [''], resources: ['groups'], resourceNames: ['team:b'], verbs: ['impersonate'] },
    ];
    await this.#admin('POST', `${rbac}/clusterroles`, { metadata: { name: 'act' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'act' };
    await this.#admin('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'act' }, roleRef, subjects: [subject('User', 'ivan')] });
    const data = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' };
    await this.#admin('POST', '/api/v1/namespaces/kube-system/secrets', {
      metadata: { name: 'bootstrap-token-abcdef' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: data,
    });
    await this.#admin('POST', '/api/v1/namespaces/a/serviceaccounts', { metadata: { name: 'robot' } });
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 86_400 } };
    const good = (await this.#admin('POST', '/api/v1/namespaces/a/serviceaccounts/robot/token', asked)).status?.token ?? '';
    const elsewhere = await this.#admin('POST', '/api/v1/namespaces/a/serviceaccounts/robot/token', {
      ...asked,
      spec: { audiences: ['elsewhere'], expirationSeconds: 86_400 },
    });
    return makeTokens(good, elsewhere.status?.token ?? '', tokenKey);
  }
}

/** Undefined: the listener would have refused it, since it has no path. */
function requestOf(source: RequestSource): Request | undefined {
  try {
    return new Request(source, performance.now());
  } catch {
    return undefined;
  }
}

function peer(what: string, shown: Shown, pair: KeyPair | undefined): Peer {
  return { what, shown, pair, connection: connectionOf(pair) };
}

/** A connection of its own, on which nothing has been found out yet. */
export function connectionOf(pair: KeyPair | undefined): Connection {
  const certificate = pair && new X509Certificate(pair.certificate);
  return new Connection({ getPeerX509Certificate: () => certificate, remoteAddress: '10.0.0.1' } as unknown as TLSSocket);
}

function makeTokens(good: string, elsewhere: string, tokenKey: string): Token[] {
  const robot = { name: 'system:serviceaccount:a:robot', groups: ['system:serviceaccounts', 'system:serviceaccounts:a'] };
  const key = readSigningKey(tokenKey);
  const foreign = readSigningKey(
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  );
  const [head = '', body = '', signature = ''] = good.split('.');
  const decoded = <T extends object>(part: string): T => JSON.parse(Buffer.from(part, 'base64url').toString()) as T;
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = decoded<Record<string, unknown>>(body);
  const now = Math.floor(Date.now() / 1000);
  const publicPem = createPublicKey(tokenKey).export({ type: 'spki', format: 'pem' });
  const hmac = (text: string): string => `${text}.${createHmac('sha256', publicPem).update(text).digest('base64url')}`;
  const other = encoded({ ...claims, sub: 'system:serviceaccount:kube-system:admin' });
  const bad: readonly (readonly [string, string])[] = [
    ['of no algorithm', `${encoded({ alg: 'none' })}.${body}.`],
    ['of no algorithm, with the signature', `${encoded({ alg: 'none' })}.${body}.${signature}`],
    ['of an algorithm None', `${encoded({ alg: 'None', kid: key.id })}.${body}.`],
    ['signed with the public key', hmac(`${encoded({ alg: 'HS256', kid: key.id })}.${body}`)],
    ['with other claims', `${head}.${other}.${signature}`],
    ['without its signature', `${head}.${body}.`],
    ['without its last part', `${head}.${body}`],
    ['with another part', `${good}.x`],
    ['with padding', `${good}==`],
    ['with something behind its signature', `${good}!`],
    ['cut', good.slice(0, -2)],
    ['of another algorithm', `${encoded({ alg: 'ES384', kid: key.id })}.${body}.${signature}`],
    ['of a foreign key', signJwt(foreign, claims)],
    ['of a foreign key under our name', signJwt({ ...foreign, id: key.id }, claims)],
    ['of a foreign key without a name', signJwt({ ...foreign, id: '' }, claims)],
    ['for somebody else', elsewhere],
    ['that has expired', signJwt(key, { ...claims, exp: now - 3600 })],
    ['of tomorrow', signJwt(key, { ...claims, nbf: now + 3600, iat: now })],
    ['issued tomorrow', signJwt(key, { ...claims, iat: now + 3600 })],
    ['of another issuer', signJwt(key, { ...claims, iss: 'https://example.com' })],
    ['of an old issuer', signJwt(key, { ...claims, iss: 'kubernetes/serviceaccount' })],
    [
      'of an account that is not there',
      signJwt(key, { ...claims, 'kubernetes.io': { namespace: 'a', serviceaccount: { name: 'default-x', uid: 'x' } } }),
    ],
    ['of an account of old', signJwt(key, { ...claims, 'kubernetes.io': { namespace: 'a', serviceaccount: { name: 'robot', uid: 'x' } } })],
    ['of an audience that is a number', signJwt(key, { ...claims, aud: 5 as unknown as string })],
    ['of no audience of ours', signJwt(key, { ...claims, aud: ['x', 'y'] })],
    ['that is long', 'x'.repeat(20_000)],
    ['of nothing but dots', '..'],
    ['of JSON that is none', `${Buffer.from('null').toString('base64url')}.${Buffer.from('[]').toString('base64url')}.x`],
    ['static, in other letters', 'STATIC-BOB'],
    ['static, and more', 'static-bob,'],
    ['for a start, with a wrong secret', 'abcdef.0123456789abcdee'],
    ['for a start, in other letters', 'ABCDEF.0123456789abcdef'],
    ['for a start, that nobody made', 'aaaaaa.0123456789abcdef'],
    ['named as part of every object', '__proto__'],
  ];
  return [
    { what: 'of a service account', text: good, holder: robot },
    { what: 'static', text: 'static-bob', holder: { name: 'bob', groups: ['team:x'] } },
    { what: 'static, of one who may act as others', text: 'static-ivan', holder: { name: 'ivan', groups: [] } },
    { what: 'for a start', text: 'abcdef.0123456789abcdef', holder: { name: 'system:bootstrap:abcdef', groups: ['system:bootstrappers'] } },
    ...bad.map(([what, text]) => ({ what, text, holder: undefined })),
  ];
}

async function textOf({ body }: Response): Promise<string> {
  if (body === undefined) return '';
  if (Buffer.isBuffer(body)) return body.toString();
  const chunks: Buffer[] = [];
  await body({
    write: (chunk, flushed) => {
      chunks.push(Buffer.from(chunk));
      flushed?.();
      return true;
    },
    drained: async () => {},
    pending: 0,
    closed: false,
    onClose: () => {},
  });
  return Buffer.concat(chunks).toString();
}
