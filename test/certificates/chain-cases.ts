/** Chains of client certificates: each is one question about Go's path validation, or about how it reads a name. */
import { randomBytes } from 'node:crypto';
import * as der from '../../src/base/tls/der.ts';
import type { CertificateSpec, MadeCertificate, NamePart } from './certificate-maker.ts';
import { CertificateMaker, attribute, commonName, element, extension, nullElement, organization } from './certificate-maker.ts';

export interface ChainCase {
  readonly name: string;
  /** the client's own first */
  readonly chain: readonly MadeCertificate[];
}

export interface ChainCases {
  /** what the server trusts */
  readonly roots: readonly MadeCertificate[];
  readonly cases: readonly ChainCase[];
}

const oids = {
  keyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  policies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyId: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInfo: '1.3.6.1.5.5.7.1.1',
  uid: '1.3.6.1.4.1.57683.2',
} as const;
const usages = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
  code: '1.3.6.1.5.5.7.3.3',
  any: '2.5.29.37.0',
  unknown: '1.2.3.4.5',
} as const;
type Usage = keyof typeof usages;

const integer = (value: number): Buffer => der.unsignedInteger(Buffer.from([value]));
const usage = (...names: Usage[]): Buffer =>
  extension(oids.extendedKeyUsage, der.sequence(...names.map((one) => der.objectIdentifier(usages[one]))));
const authority = (pathLength?: number): Buffer =>
  extension(oids.basicConstraints, der.sequence(der.boolean(true), ...(pathLength === undefined ? [] : [integer(pathLength)])), true);
const notAuthority = extension(oids.basicConstraints, der.sequence(), true);
const keyUsage = (...bits: number[]): Buffer => extension(oids.keyUsage, der.namedBits(bits), true);
const subjectKeyId = (id: Buffer): Buffer => extension(oids.keyId, der.octetString(id));
const authorityKeyId = (id: Buffer): Buffer => extension(oids.authorityKeyId, der.sequence(der.taggedPrimitive(0, id)));

type NameKind = 'email' | 'dns' | 'directory' | 'uri' | 'ip' | 'other' | 'id';
type GeneralName = readonly [kind: NameKind, value: string | Buffer];
const nameTags = { other: 0xa0, email: 0x81, dns: 0x82, directory: 0xa4, uri: 0x86, ip: 0x87, id: 0x88 } as const;
const generalName = ([kind, value]: GeneralName): Buffer => element(nameTags[kind], Buffer.from(value as string));
const alternatives = (...names: GeneralName[]): Buffer => extension(oids.alternativeNames, der.sequence(...names.map(generalName)));
const subtrees = (tag: number, names: readonly GeneralName[]): Buffer[] =>
  names.length === 0 ? [] : [der.tagged(tag, ...names.map((one) => der.sequence(generalName(one))))];
const constraints = (permitted: readonly GeneralName[], excluded: readonly GeneralName[] = [], critical = true): Buffer =>
  extension(oids.nameConstraints, der.sequence(...subtrees(0, permitted), ...subtrees(1, excluded)), critical);
const range = (text: string): GeneralName => ['ip', Buffer.from(text.split(/[./]/).map(Number))];
const range6 = (hex: string): GeneralName => ['ip', Buffer.from(hex, 'hex')];
const policies = (...ids: string[]): Buffer =>
  extension(oids.policies, der.sequence(...ids.map((id) => der.sequence(der.objectIdentifier(id)))));
const policyConstraints = (explicit: number): Buffer =>
  extension(oids.policyConstraints, der.sequence(der.taggedPrimitive(0, Buffer.from([explicit]))), true);
const anyPolicy = '2.5.29.32.0';

export function makeChainCases(now: number): ChainCases {
  const maker = new CertificateMaker(now);
  const roots: MadeCertificate[] = [];
  const cases: ChainCase[] = [];

  const root = (name: string, spec: Partial<CertificateSpec> = {}): MadeCertificate => {
    const made = maker.make({ subject: [commonName(name)], extensions: [authority()], ...spec });
    roots.push(made);
    return made;
  };
  const intermediate = (name: string, issuer: MadeCertificate, spec: Partial<CertificateSpec> = {}): MadeCertificate =>
    maker.make({ subject: [commonName(name)], issuer, extensions: [authority()], ...spec });
  const leaf = (issuer: MadeCertificate, spec: Partial<CertificateSpec> = {}): MadeCertificate =>
    maker.make({ subject: [organization('team'), commonName('jane')], issuer, extensions: [usage('client')], ...spec });
  const add = (name: string, ...chain: MadeCertificate[]): void => void cases.push({ name, chain });

  const good = root('root');
  const below = (spec: Partial<CertificateSpec> = {}): MadeCertificate => leaf(good, spec);

  // Who may sign.
  add('signed by a root', below());
  add('through an intermediate', ...chainOf(leaf, intermediate('one', good)));
  const first = intermediate('first', good);
  const second = intermediate('second', first);
  const third = intermediate('third', second);
  add('through three intermediates, in order', leaf(third), third, second, first);
  add('through three intermediates, in no order', leaf(third), first, third, second);
  add('with the middle one missing', leaf(third), third, first);
  add('with the root sent along', below(), good);
  add('with strangers sent along', below(), intermediate('stranger', maker.make({ subject: [commonName('nobody')] })));
  const unknown = maker.make({ subject: [commonName('unknown root')], extensions: [authority()] });
  add('of an unknown root', leaf(unknown));
  add('of an unknown root that is sent along', leaf(unknown), unknown);
  const impostor = maker.make({ subject: [commonName('root')], extensions: [authority()] });
  add('of somebody with the name of a root', leaf(impostor));
  add('of somebody with the name of a root who is sent along', leaf(impostor), impostor);
  add('self-signed', maker.make({ subject: [commonName('jane')], extensions: [usage('client')] }));
  add('with a forged signature', below({ isForged: true }));
  const forged = intermediate('forged', good, { isForged: true });
  add('through an intermediate with a forged signature', leaf(forged), forged);
  add('itself in the pool, an authority', good);
  const known = root('known leaf', { extensions: [usage('client')] });
  add('itself in the pool, no authority', known);
  add('signed by one in the pool that is no authority', leaf(known));
  const knownServer = root('known server', { extensions: [usage('server')] });
  add('itself in the pool, for servers', knownServer);

  // Who is an authority.
  for (const [what, spec] of [
    ['without basic constraints', { extensions: [] }],
    ['that says it is none', { extensions: [notAuthority] }],
    ['of version 1', { version: 1, extensions: [] }],
    ['of version 2', { version: 2, extensions: [] }],
    ['that may not sign certificates', { extensions: [authority(), keyUsage(0, 6)] }],
    ['that may sign certificates', { extensions: [authority(), keyUsage(5)] }],
    ['without any key usage', { extensions: [authority(), extension(oids.keyUsage, der.bitString(Buffer.alloc(0)), true)] }],
  ] as const satisfies readonly (readonly [string, Partial<CertificateSpec>])[]) {
    const made = intermediate(`intermediate ${what}`, good, spec);
    add(`through an intermediate ${what}`, leaf(made), made);
    add(`signed by a root ${what}`, leaf(root(`root ${what}`, spec)));
  }
  const byLeaf = below({ extensions: [usage('client')] });
  add('signed by another leaf', leaf(byLeaf), byLeaf);

  // Path lengths.
  for (const [length, count] of [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 2],
  ] as const) {
    const limited = root(`path ${length} ${count}`, { extensions: [authority(length)] });
    const chain: MadeCertificate[] = [];
    for (let i = 0; i < count; i++) chain.unshift(intermediate(`path ${length} ${count} ${i}`, chain[0] ?? limited));
    add(`below a root with path length ${length} through ${count}`, leaf(chain[0] ?? limited), ...chain);
  }
  const zero = intermediate('zero', good, { extensions: [authority(0)] });
  const belowZero = intermediate('below zero', zero);
  add('through an intermediate with path length 0', leaf(zero), zero);
  add('through an intermediate below path length 0', leaf(belowZero), belowZero, zero);
  const ownName = maker.make({ subject: [commonName('zero')], issuer: zero, extensions: [authority()] });
  add('through an intermediate of the same name below path length 0', leaf(ownName), ownName, zero);

  // Usages.
  for (const own of [['client'], ['server'], ['server', 'client'], ['any'], ['unknown'], ['code', 'unknown'], []] as const) {
    add(`for [${own.join(' ')}]`, below({ extensions: [usage(...own)] }));
    const made = intermediate(`for ${own.join(' ')}`, good, { extensions: [authority(), usage(...own)] });
    add(`through an intermediate for [${own.join(' ')}]`, leaf(made), made);
  }
  add('for nothing in particular', below({ extensions: [] }));
  add('below a root for servers', leaf(root('server root', { extensions: [authority(), usage('server')] })));
  add('below a root for clients', leaf(root('client root', { extensions: [authority(), usage('client')] })));

  // Times.
  add('expired', below({ from: -5, to: -1 }));
  add('not yet valid', below({ from: 1, to: 5 }));
  for (const [what, from, to] of [
    ['expired', -5, -1],
    ['not yet valid', 1, 5],
  ] as const) {
    const made = intermediate(`intermediate ${what}`, good, { from, to });
    add(`through an intermediate that is ${what}`, leaf(made), made);
    add(`below a root that is ${what}`, leaf(root(`root ${what}`, { from, to })));
  }
  const utc = (text: string): Buffer => element(0x17, Buffer.from(text));
  const general = (text: string): Buffer => element(0x18, Buffer.from(text));
  add('until 2049', below({ validity: der.sequence(utc('200101000000Z'), utc('491231235959Z')) }));
  add('until 1950, which is written as 50', below({ validity: der.sequence(utc('200101000000Z'), utc('500101000000Z')) }));
  add('until 2100', below({ validity: der.sequence(utc('200101000000Z'), general('21000101000000Z')) }));
  add('until the end of time', below({ validity: der.sequence(utc('200101000000Z'), general('99991231235959Z')) }));
  add('valid from the 30th of February', below({ validity: der.sequence(utc('200230000000Z'), utc('491231235959Z')) }));

  // Algorithms.
  const rsa = root('rsa root', { key: 'rsa2048' });
  for (const signature of ['sha256', 'sha384', 'sha512', 'sha1', 'md5', 'pss-sha256', 'pss-salt', 'pss-sha1'] as const)
    add(`signed with RSA and ${signature}`, leaf(rsa, { signature }));
  for (const signature of ['sha256', 'sha384', 'sha512', 'sha1'] as const) add(`signed with ECDSA and ${signature}`, below({ signature }));
  const weak = intermediate('sha1 intermediate', rsa, { signature: 'sha1' });
  add('through an intermediate signed with sha1', leaf(weak), weak);
  add('below a root that signed itself with sha1', leaf(root('sha1 root', { key: 'rsa1024', signature: 'sha1' })));
  for (const key of ['p224', 'p384', 'p521', 'ed25519', 'rsa1024', 'rsa1000', 'rsa512', 'rsa-e3'] as const) {
    const made = intermediate(`${key} intermediate`, good, { key });
    add(`through an intermediate with ${key}`, leaf(made), made);
  }
  for (const key of ['ed25519', 'rsa1024', 'p384'] as const) add(`with a key of ${key}`, below({ key }));
  const huge = Buffer.concat([Buffer.from([0x80]), randomBytes(1024), Buffer.from([1])]);
  const hugeKey = der.sequence(der.unsignedInteger(huge), der.unsignedInteger(Buffer.from([1, 0, 1])));
  const rsaInfo = (parameters: readonly Buffer[], key = hugeKey): Buffer =>
    der.sequence(der.sequence(der.objectIdentifier('1.2.840.113549.1.1.1'), ...parameters), der.bitString(key));
  add('with an RSA key of more than 8192 bits sent along', below(), intermediate('huge', good, { publicKeyInfo: rsaInfo([nullElement]) }));
  const small = der.sequence(
    der.unsignedInteger(Buffer.concat([Buffer.from([0x80]), randomBytes(126), Buffer.from([1])])),
    der.unsignedInteger(Buffer.from([3])),
  );
  add('with a key without its parameters sent along', below(), intermediate('no parameters', good, { publicKeyInfo: rsaInfo([], small) }));
  const oddKey = der.sequence(der.sequence(der.objectIdentifier('1.2.3.4')), der.bitString(Buffer.from('key')));
  add('with a key of an unknown kind sent along', below(), intermediate('odd key', good, { publicKeyInfo: oddKey }));
  add('with two algorithms', below({ outerAlgorithm: der.sequence(der.objectIdentifier('1.2.840.10045.4.3.3')) }));

  // Extensions.
  const mystery = (critical: boolean): Buffer => extension('1.2.3.4.5.6', nullElement, critical);
  for (const critical of [true, false]) {
    const kind = critical ? 'critical' : 'plain';
    add(`with an unknown ${kind} extension`, below({ extensions: [usage('client'), mystery(critical)] }));
    const made = intermediate(`mystery ${kind}`, good, { extensions: [authority(), mystery(critical)] });
    add(`through an intermediate with an unknown ${kind} extension`, leaf(made), made);
    add(
      `below a root with an unknown ${kind} extension`,
      leaf(root(`mystery ${kind} root`, { extensions: [authority(), mystery(critical)] })),
    );
    const directory: GeneralName = ['directory', der.sequence()];
    const named = extension(oids.alternativeNames, der.sequence(generalName(directory)), critical);
    add(`with ${kind} alternative names that say nothing`, below({ extensions: [usage('client'), named] }));
  }
  add('with an extension twice', below({ extensions: [usage('client'), usage('client')] }));
  add('with a critical key id', below({ extensions: [usage('client'), extension(oids.keyId, der.octetString(Buffer.from('x')), true)] }));
  add('with a critical authority key id', below({ extensions: [usage('client'), extension(oids.authorityKeyId, der.sequence(), true)] }));
  add('with critical authority information', below({ extensions: [usage('client'), extension(oids.authorityInfo, der.sequence(), true)] }));
  add(
    'with critical usages',
    below({ extensions: [extension(oids.extendedKeyUsage, der.sequence(der.objectIdentifier(usages.client)), true)] }),
  );
  add('with a malformed usage', below({ extensions: [extension(oids.extendedKeyUsage, nullElement)] }));
  add('with a negative serial number', below({ serial: Buffer.from([2, 1, 0x80]) }));
  add('with a serial number that is too long', below({ serial: Buffer.from([2, 2, 0, 1]) }));
  add('with a serial number of nothing', below({ serial: Buffer.from([2, 1, 0]) }));

  // Cross-signing.
  const [crossA, crossB] = [root('cross a'), maker.make({ subject: [commonName('cross b')], extensions: [authority()] })];
  const bridge = (issuer: MadeCertificate, spec: Partial<CertificateSpec> = {}): MadeCertificate =>
    intermediate('bridge', issuer, { keyName: 'bridge', ...spec });
  add('signed by one that a known and an unknown root have signed', leaf(bridge(crossA)), bridge(crossB), bridge(crossA));
  add('with an expired and a valid signature of the same root', leaf(bridge(crossA)), bridge(crossA, { from: -5, to: -1 }), bridge(crossA));
  add(
    'with a wrong and a right usage',
    leaf(bridge(crossA)),
    bridge(crossA, { extensions: [authority(), usage('server')] }),
    bridge(crossA),
  );
  add(
    'with wrong usages only',
    leaf(bridge(crossA)),
    bridge(crossA, { extensions: [authority(), usage('server')] }),
    bridge(crossA, { extensions: [authority(), usage('code')] }),
  );
  const twins = [root('twin'), root('twin')];
  for (const [index, twin] of twins.entries()) add(`of one of two roots with the same name (${index + 1})`, leaf(twin));
  const [circleA, circleB] = [
    maker.make({ subject: [commonName('circle a')], keyName: 'circle a' }),
    maker.make({ subject: [commonName('circle b')], keyName: 'circle b' }),
  ];
  const aByB = intermediate('circle a', circleB, { keyName: 'circle a' });
  const bByA = intermediate('circle b', circleA, { keyName: 'circle b' });
  add('of two who sign one another', leaf(aByB), aByB, bByA);
  const aByRoot = intermediate('circle a', good, { keyName: 'circle a' });
  add('of two who sign one another, one of whom a root has signed', leaf(bByA), bByA, aByB, aByRoot);
  const many = Array.from({ length: 98 }, (_, i) =>
    maker.make({ subject: [commonName('many')], keyName: `many ${i % 7}`, extensions: [authority(), extension('1.2.3', integer(i))] }),
  );
  const manyGood = intermediate('many', good);
  add('with 98 namesakes before the right one', leaf(manyGood), ...many, manyGood);
  add(
    'with 101 namesakes before the right one',
    leaf(manyGood),
    ...many,
    ...many
      .slice(0, 3)
      .map((_, i) =>
        maker.make({ subject: [commonName('many')], keyName: `many ${i}`, extensions: [authority(), extension('1.2.4', integer(i))] }),
      ),
    manyGood,
  );
  const keyed = root('keyed', { extensions: [authority(), subjectKeyId(Buffer.from('right'))] });
  add('with the key id of its root', leaf(keyed, { extensions: [usage('client'), authorityKeyId(Buffer.from('right'))] }));
  add('with the key id of another', leaf(keyed, { extensions: [usage('client'), authorityKeyId(Buffer.from('wrong'))] }));

  // Name constraints.
  const constrained = (what: string, limit: Buffer, ...names: GeneralName[]): void => {
    const made = intermediate(`limited ${cases.length}`, good, { extensions: [authority(), limit] });
    add(
      `constraints: ${what}`,
      leaf(made, { extensions: [usage('client'), ...(names.length === 0 ? [] : [alternatives(...names)])] }),
      made,
    );
  };
  const dns = (...names: string[]): GeneralName[] => names.map((name) => ['dns', name] as const);
  constrained('no names at all', constraints(dns('example.com')));
  constrained('a permitted DNS name', constraints(dns('example.com')), ['dns', 'a.Example.com']);
  constrained('the DNS name itself', constraints(dns('example.com')), ['dns', 'example.com']);
  constrained('a DNS name that ends alike', constraints(dns('example.com')), ['dns', 'badexample.com']);
  constrained('another DNS name', constraints(dns('example.com')), ['dns', 'example.org']);
  constrained('one good and one bad DNS name', constraints(dns('example.com')), ['dns', 'example.com'], ['dns', 'x.org']);
  constrained('a longer DNS name under a dot', constraints(dns('.example.com')), ['dns', 'a.example.com']);
  constrained('a DNS name under a dot', constraints(dns('.example.com')), ['dns', 'example.com']);
  constrained('an excluded DNS name', constraints([], dns('example.com')), ['dns', 'a.example.com']);
  constrained('a DNS name that is not excluded', constraints([], dns('example.com')), ['dns', 'example.org']);
  constrained('a wildcard over an excluded DNS name', constraints([], dns('a.example.com')), ['dns', '*.example.com']);
  constrained('a permitted and excluded DNS name', constraints(dns('com'), dns('bad.com')), ['dns', 'x.bad.com']);
  constrained('every DNS name excluded', constraints([], dns('')), ['dns', 'a']);
  constrained('a malformed DNS name', constraints(dns('example.com')), ['dns', 'a..example.com']);
  constrained('a malformed constraint', constraints(dns('example..com')));
  constrained('another kind of name than constrained', constraints(dns('example.com')), ['email', 'a@example.org']);
  constrained('not critical', constraints(dns('example.com'), [], false), ['dns', 'x.org']);
  constrained('a permitted address', constraints([range('10.0.0.0.255.0.0.0')]), ['ip', Buffer.from([10, 1, 2, 3])]);
  constrained('an address that is not permitted', constraints([range('10.0.0.0.255.0.0.0')]), ['ip', Buffer.from([11, 1, 2, 3])]);
  constrained('an excluded address', constraints([], [range('10.0.0.0.255.0.0.0')]), ['ip', Buffer.from([10, 1, 2, 3])]);
  constrained('an IPv6 address where IPv4 is permitted', constraints([range('0.0.0.0.0.0.0.0')]), ['ip', Buffer.alloc(16, 1)]);
  constrained('a mapped address where all IPv6 is permitted', constraints([range6('00'.repeat(32))]), [
    'ip',
    Buffer.from('00000000000000000000ffff0a000001', 'hex'),
  ]);
  constrained(
    'an address in a range that does not begin with its own',
    constraints([range('9.0.0.0.255.0.0.0'), range('10.1.2.3.255.0.0.0')]),
    ['ip', Buffer.from([10, 0, 0, 1])],
  );
  constrained('an odd mask', constraints([range('10.0.0.0.255.0.255.0')]));
  constrained('an address range of an odd length', constraints([['ip', Buffer.alloc(7)]]));
  constrained('a permitted mail domain', constraints([['email', 'example.com']]), ['email', 'a@Example.com']);
  constrained('a permitted mailbox', constraints([['email', 'a@example.com']]), ['email', 'a@example.COM']);
  constrained('another mailbox', constraints([['email', 'a@example.com']]), ['email', 'b@example.com']);
  constrained('a quoted mailbox', constraints([['email', 'a@example.com']]), ['email', '"a"@example.com']);
  constrained('an excluded mail domain', constraints([], [['email', '.example.com']]), ['email', 'a@x.example.com']);
  constrained('no mail address at all', constraints([['email', 'example.com']]), ['email', 'example.com']);
  constrained('a permitted URI', constraints([['uri', 'example.com']]), ['uri', 'https://a.example.com:80/x?y#z']);
  constrained('a URI that is not permitted', constraints([['uri', 'example.com']]), ['uri', 'https://example.org']);
  constrained('a URI without a host', constraints([['uri', 'example.com']]), ['uri', 'urn:x:y']);
  constrained('a URI with an address', constraints([], [['uri', 'example.com']]), ['uri', 'https://10.0.0.1/']);
  constrained('an address as constraint on URIs', constraints([['uri', '10.0.0.1']]));
  constrained('a directory name, critical', constraints([['directory', der.sequence()]]));
  constrained('a directory name, not critical', constraints([['directory', der.sequence()]], [], false));
  constrained('nothing', extension(oids.nameConstraints, der.sequence(), true));
  constrained(
    'more than there should be',
    extension(oids.nameConstraints, Buffer.concat([der.sequence(...subtrees(0, dns('a'))), nullElement]), true),
  );
  add(
    'constraints: of the root',
    leaf(root('limited root', { extensions: [authority(), constraints(dns('example.com'))] }), {
      extensions: [usage('client'), alternatives(['dns', 'x.org'])],
    }),
  );
  add(
    'constraints: of the leaf itself',
    below({ extensions: [usage('client'), constraints(dns('example.com')), alternatives(['dns', 'x.org'])] }),
  );
  const limitedAbove = intermediate('limited above', good, { extensions: [authority(), constraints(dns('example.com'))] });
  const namedBelow = intermediate('named below', limitedAbove, { extensions: [authority(), alternatives(['dns', 'x.org'])] });
  add('constraints: broken by an intermediate', leaf(namedBelow), namedBelow, limitedAbove);
  add(
    'constraints: broken by the one that has them',
    ...chainOf(
      leaf,
      intermediate('broken by itself', good, {
        extensions: [authority(), constraints(dns('example.com')), alternatives(['dns', 'x.org'])],
      }),
    ),
  );
  add('with a URI that cannot be read', below({ extensions: [usage('client'), alternatives(['uri', 'http://a b/'])] }));
  add('with a URI with an odd host', below({ extensions: [usage('client'), alternatives(['uri', 'http://a..b/'])] }));
  add('with an address of an odd length', below({ extensions: [usage('client'), alternatives(['ip', Buffer.alloc(5)])] }));
  add('with a DNS name that is not ASCII', below({ extensions: [usage('client'), alternatives(['dns', 'ü'])] }));

  // Policies.
  const policed = (what: string, authorityParts: readonly Buffer[], leafParts: readonly Buffer[]): void => {
    const made = intermediate(`policy ${cases.length}`, good, { extensions: [authority(), ...authorityParts] });
    add(`policies: ${what}`, leaf(made, { extensions: [usage('client'), ...leafParts] }), made);
  };
  policed('one is required and none is there', [policyConstraints(0), policies('1.2.3')], []);
  policed('one is required and there', [policyConstraints(0), policies('1.2.3')], [policies('1.2.3')]);
  policed('another is there', [policyConstraints(0), policies('1.2.3')], [policies('1.2.4')]);
  policed('any is there', [policyConstraints(0), policies('1.2.3')], [policies(anyPolicy)]);
  policed('any is allowed', [policyConstraints(0), policies(anyPolicy)], [policies('1.2.4')]);
  policed('one is required later', [policyConstraints(2), policies('1.2.3')], []);
  policed(
    'one is mapped',
    [
      policyConstraints(0),
      policies('1.2.3'),
      extension(oids.policyMappings, der.sequence(der.sequence(der.objectIdentifier('1.2.3'), der.objectIdentifier('1.2.4')))),
    ],
    [policies('1.2.4')],
  );
  policed(
    'any is mapped',
    [
      policies(anyPolicy),
      extension(oids.policyMappings, der.sequence(der.sequence(der.objectIdentifier(anyPolicy), der.objectIdentifier('1.2.4')))),
    ],
    [policies('1.2.4')],
  );
  policed(
    'any is inhibited',
    [policyConstraints(0), policies('1.2.3'), extension(oids.inhibitAnyPolicy, integer(0), true)],
    [policies(anyPolicy)],
  );
  policed('one is there twice', [], [policies('1.2.3', '1.2.3')]);
  policed('the leaf requires one', [], [policyConstraints(0)]);

  // Names of users.
  const named = (what: string, ...subject: NamePart[]): void => add(`named: ${what}`, below({ subject }));
  named('no common name', organization('team'));
  named('an empty common name', commonName(''));
  named('nothing');
  named('two common names', commonName('first'), commonName('second'));
  named('a set of organization and common name', [organization('a'), commonName('jane')]);
  named('a set of two organizations', [organization('b'), organization('a')], commonName('jane'));
  named('an organization twice', organization('a'), organization('a'), commonName('jane'));
  named('an empty organization', organization(''), commonName('jane'));
  named('organizations around', organization('b'), commonName('jane'), organization('a'));
  named('the administrators', organization('system:masters'), commonName('jane'));
  named('the administrators as BMPString', organization('system:masters', 'bmp'), commonName('jane', 'bmp'));
  named('the administrators as T61String', organization('system:masters', 't61'), commonName('j\u00e4ne', 't61'));
  named('the administrators as IA5String', organization('system:masters', 'ia5'), commonName('jane', 'ia5'));
  named('the administrators as PrintableString', organization('system:masters', 'printable'), commonName('jane', 'printable'));
  named('numbers', commonName('123 4', 'numeric'));
  named('letters as NumericString', commonName('abc', 'numeric'));
  named(
    'the administrators as UniversalString',
    organization(Buffer.from('system:masters', 'utf16le').swap16(), 'universal'),
    commonName('jane'),
  );
  named('a VisibleString', commonName('jane', 'visible'));
  named('an underscore as PrintableString', commonName('a_b', 'printable'));
  named('a star and an ampersand as PrintableString', commonName('a*b&c', 'printable'));
  named('UTF-8', organization('köche'), commonName('jürgen'));
  named('bad UTF-8', commonName(Buffer.from([0x6a, 0xff])));
  named('a BMPString with a NUL at its end', commonName('jane\0', 'bmp'));
  named('a BMPString of an odd length', commonName(Buffer.from([0, 0x6a, 0]), 'bmp'));
  named('a BMPString with a surrogate', commonName(Buffer.from([0xd8, 0x3d, 0xde, 0]), 'bmp'));
  named('a NUL inside', commonName('jane\0admin'));
  named('commas and line feeds', organization('a,b\nO=system:masters'), commonName('x\nCN=y+CN=z, \\2C'));
  named('anonymous', commonName('system:anonymous'));
  named('unauthenticated', organization('system:unauthenticated'), commonName('jane'));
  named('authenticated already', organization('system:authenticated'), commonName('jane'));
  named('with a UID', attribute(oids.uid, '1234'), commonName('jane'));
  named('with two UIDs', attribute(oids.uid, '1'), attribute(oids.uid, '2'), commonName('jane'));
  named('with an empty UID', attribute(oids.uid, ''), commonName('jane'));
  named('with an attribute of no string', der.sequence(der.objectIdentifier('2.5.4.5'), integer(1)), commonName('jane'));
  named('with an empty set', [], commonName('jane'));
  return { roots, cases };
}

function chainOf(leaf: (issuer: MadeCertificate) => MadeCertificate, ...[issuer]: [MadeCertificate]): MadeCertificate[] {
  return [leaf(issuer), issuer];
}
