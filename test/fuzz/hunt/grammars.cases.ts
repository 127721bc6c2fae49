// Texts that the server reads by a grammar: regular expressions, in schemas and in CEL, and certificates.
import { createAuthority } from '../../../src/base/tls/certificate.ts';
import type { Case } from './case.ts';
import { bodyLimit, json } from './case.ts';
import type { Sent } from './hunted-server.ts';

const dry = '?dryRun=All';
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const post = (path: string, body: unknown): Sent => ({ method: 'POST', path, body: json(body) });
const share = (size: number): number => size / bodyLimit;

/** As many of it as a text of this length has room for. */
const filled = (length: number, part: (index: number) => string, last = 'true'): string => {
  const parts: string[] = [];
  for (let [room, index] = [length - last.length, 0]; ; index++) {
    const next = part(index);
    if ((room -= next.length) < 0) return `${parts.join('')}${last}`;
    parts.push(next);
  }
};

/** Patterns that are much more than they look like, of some length. */
const patterns: Readonly<Record<string, (length: number) => string>> = {
  counts: (length) => filled(length, (index) => `a{${900 + (index % 100)}}b{1,${900 + (index % 100)}}`, ''),
  'counts of nothing': (length) => filled(length, () => '(?:a?){0,1000}', 'c'),
  'counts in counts': (length) => filled(length, () => '((a{9}){9}){9}', ''),
  'large sets': (length) => `(?i)${filled(length - 4, (index) => `[B-\\x{1E9${(16 + (index % 200)).toString(16)}}]`, '')}`,
  properties: (length) => filled(length, () => '[^\\pL\\pN]', ''),
  scripts: (length) => filled(length, (index) => `\\p{${['Arabic', 'Bengali', 'Thai', 'Tamil'][index % 4]}}`, ''),
  groups: (length) => `${'(?:x'.repeat(Math.min(990, length / 5))}${')'.repeat(Math.min(990, length / 5))}`,
  captures: (length) => filled(length, () => '(x|y)', ''),
  words: (length) => filled(length, (index) => `w${index}b*|`, 'x'),
  'an end that is missing': (length) => `(?i)(${filled(length - 5, () => '[B-\\x{1E942}]', '')}`,
};
const quoted = (pattern: string): string => `r'${pattern}'`;

const claim = (expression: (index: number) => string, size: number): Sent =>
  post(`/apis/resource.k8s.io/v1/namespaces/default/resourceclaims${dry}`, {
    metadata: { name: 'a' },
    spec: {
      devices: {
        requests: times(32).map((request) => ({
          name: `r${request}`,
          exactly: {
            deviceClassName: 'a',
            selectors: times(9 * share(size)).map((index) => ({ cel: { expression: expression(request * 9 + index) } })),
          },
        })),
      },
    },
  });

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = (name: string, properties: object): object => ({
  metadata: { name: `${name}.grammars.example.com` },
  spec: {
    group: 'grammars.example.com',
    names: { plural: name, singular: name, kind: `K${name}`, listKind: `K${name}List` },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
      },
    ],
  },
});
const object = (name: string, spec: unknown): Sent =>
  post(`/apis/grammars.example.com/v1/namespaces/default/${name}${dry}`, {
    apiVersion: 'grammars.example.com/v1',
    kind: `K${name}`,
    metadata: { name: 'a' },
    spec,
  });
const plural = (name: string): string => name.replaceAll(' ', '');
const served =
  (name: string, properties: object): (() => readonly Sent[]) =>
  () => [
    post(definitions, definition(plural(name), properties)),
    { method: 'GET', path: `/apis/grammars.example.com/v1/namespaces/default/${plural(name)}`, until: 200 },
  ];

const day = 24 * 3600 * 1000;
const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
let pem: string | undefined;
const certificate = (): string => (pem ??= createAuthority({ commonName: 'hunted' }, validity).certificate);
const bundle = (size: number): string => `${certificate()}\n`.repeat(size / (certificate().length + 1));
const clientConfig = (size: number): object => ({
  url: 'https://localhost:1/',
  caBundle: Buffer.from(bundle(size * 0.7)).toString('base64'),
});

export const grammarCases: readonly Case[] = [
  {
    name: 'patterns in expressions of a claim',
    request: (size) => claim((at) => filled(10_000, (index) => `"a".matches("a{1,${500 + ((at + index) % 400)}}")||`), size),
  },
  ...Object.entries(patterns).flatMap(([name, pattern]): Case[] => [
    {
      name: `${name}: expressions of a claim`,
      request: (size) => claim(() => `device.driver.matches(${quoted(pattern(9_900))})`, size),
    },
    {
      name: `${name}: patterns of a definition`,
      request: (size) =>
        post(
          `${definitions}${dry}`,
          definition(
            'a',
            Object.fromEntries(times(4).map((index) => [`p${index}`, { type: 'string', pattern: pattern(31_000 * share(size)) }])),
          ),
        ),
    },
    {
      name: `${name}: rules of a definition`,
      request: (size) =>
        post(
          `${definitions}${dry}`,
          definition('a', {
            s: {
              type: 'string',
              maxLength: 10,
              'x-kubernetes-validations': times(4).map(() => ({ rule: `self.matches(${quoted(pattern(31_000 * share(size)))})` })),
            },
          }),
        ),
    },
    {
      name: `${name}: expressions of a policy`,
      request: (size) =>
        post(`/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies${dry}`, {
          metadata: { name: 'a' },
          spec: {
            matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] },
            validations: times(5 * share(size)).map(() => ({ expression: `object.metadata.name.matches(${quoted(pattern(10_000))})` })),
          },
        }),
    },
    {
      name: `${name}: texts that are matched`,
      before: served(name, { s: { type: 'array', items: { type: 'string', pattern: pattern(10_000) } } }),
      request: (size) => object(plural(name), { s: times(500 * share(size)).map((index) => `${'ab'.repeat(150)}${index}`) }),
    },
    {
      name: `${name}: a text that is matched`,
      before: served(name, { s: { type: 'array', items: { type: 'string', pattern: pattern(10_000) } } }),
      request: (size) => object(plural(name), { s: ['ab'.repeat(size / 2)] }),
    },
  ]),
  {
    name: 'certificates of a trust bundle',
    limit: 1024 * 1024,
    request: (size) =>
      post(`/apis/certificates.k8s.io/v1beta1/clustertrustbundles${dry}`, { metadata: { name: 'a' }, spec: { trustBundle: bundle(size) } }),
  },
  {
    name: 'certificates of a webhook',
    request: (size) =>
      post(`/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations${dry}`, {
        metadata: { name: 'a' },
        webhooks: [{ name: 'a.b.c', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig: clientConfig(size) }],
      }),
  },
  {
    name: 'certificates of a conversion',
    request: (size) => {
      const { metadata, spec } = definition('a', {}) as { metadata: object; spec: object };
      const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: clientConfig(size) } };
      return post(`${definitions}${dry}`, { metadata, spec: { ...spec, conversion } });
    },
  },
  {
    name: 'certificates of an aggregated server',
    request: (size) =>
      post(`/apis/apiregistration.k8s.io/v1/apiservices${dry}`, {
        metadata: { name: 'v1.a.b' },
        spec: {
          group: 'a.b',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { namespace: 'a', name: 'a' },
          caBundle: Buffer.from(bundle(size * 0.7)).toString('base64'),
        },
      }),
  },
  {
    name: 'certificates of a TLS pair',
    limit: 1024 * 1024,
    request: (size) =>
      post(`/api/v1/namespaces/default/secrets${dry}`, {
        metadata: { name: 'a' },
        type: 'kubernetes.io/tls',
        data: { 'tls.crt': Buffer.from(bundle(size * 0.7)).toString('base64'), 'tls.key': '' },
      }),
  },
];
