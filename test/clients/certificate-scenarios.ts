import { createAuthority } from '../../src/base/tls/certificate.ts';
import { makeCertificateRequest } from '../support/make-certificate-request.ts';
import type { WantedCertificate } from '../support/make-certificate-request.ts';
import type { Scenario } from './controller-scenarios.ts';
import type { Estate } from './estate.ts';

const client = ['digital signature', 'key encipherment', 'client auth'];
const serving = ['digital signature', 'key encipherment', 'server auth'];
const signers = {
  kubelet: 'kubernetes.io/kube-apiserver-client-kubelet',
  client: 'kubernetes.io/kube-apiserver-client',
  serving: 'kubernetes.io/kubelet-serving',
  other: 'example.com/signer',
} as const;

interface Asked {
  readonly signer: keyof typeof signers;
  readonly wanted: WantedCertificate;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  /** who asks; undefined: the administrator */
  readonly user?: { readonly name: string; readonly group: string };
}

const ofNode = (name: string): WantedCertificate => ({ commonName: `system:node:${name}`, organizations: ['system:nodes'] });

async function ask(estate: Estate, { signer, wanted, usages = client, expirationSeconds, user }: Asked, name = 'asked'): Promise<void> {
  const spec = {
    request: makeCertificateRequest(wanted).request,
    signerName: signers[signer],
    usages,
    ...(expirationSeconds !== undefined && { expirationSeconds }),
  };
  const headers = user && { 'impersonate-user': user.name, 'impersonate-group': user.group };
  await estate.create('certificatesigningrequests', name, { spec, ...(headers !== undefined && { headers }) });
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString().replace(/\.\d+/, '');

async function decide(estate: Estate, type: string, at?: string, name = 'asked'): Promise<void> {
  const condition = { type, status: 'True', reason: 'Judged', message: 'so be it', ...(at !== undefined && { lastUpdateTime: at }) };
  await estate.patchIn('certificatesigningrequests', name, type === 'Failed' ? 'status' : 'approval', {
    status: { conditions: [condition] },
  });
}

const approving = (name: string, asked: Asked): Scenario => ({ name: `approving-${name}`, steps: [(estate) => ask(estate, asked)] });

const signing = (name: string, asked: Asked, type = 'Approved'): Scenario => ({
  name: `signing-${name}`,
  steps: [
    async (estate) => {
      await ask(estate, asked);
      await decide(estate, type);
    },
  ],
});

/** What was decided before there were controllers, `hours` ago. */
const cleaning = (name: string, type: string, hours: number, certificate?: string): Scenario => ({
  name: `cleaning-${name}`,
  before: async (estate) => {
    await ask(estate, { signer: 'other', wanted: ofNode('n') });
    await decide(estate, type, hoursAgo(hours));
    if (certificate !== undefined)
      await estate.patchStatus('certificatesigningrequests', 'asked', { certificate: Buffer.from(certificate).toString('base64') });
  },
  steps: [async () => {}],
});

const validFor = (from: number, to: number): string =>
  createAuthority({ commonName: 'issued' }, { from: new Date(Date.now() + from), to: new Date(Date.now() + to) }).certificate;
const day = 86_400_000;

export const certificateScenarios: readonly Scenario[] = [
  approving('of-a-node', { signer: 'kubelet', wanted: ofNode('a') }),
  approving('without-key-encipherment', { signer: 'kubelet', wanted: ofNode('b'), usages: ['digital signature', 'client auth'] }),
  approving('of-oneself-without-the-right', {
    signer: 'kubelet',
    wanted: ofNode('c'),
    user: { name: 'system:node:c', group: 'system:nodes' },
  }),
  approving('with-a-name', { signer: 'kubelet', wanted: { ...ofNode('d'), dns: ['d.example.com'] } }),
  approving('of-another-organization', { signer: 'kubelet', wanted: { commonName: 'system:node:e', organizations: ['others'] } }),
  approving('of-two-organizations', {
    signer: 'kubelet',
    wanted: { commonName: 'system:node:f', organizations: ['system:nodes', 'others'] },
  }),
  approving('for-another-use', { signer: 'kubelet', wanted: ofNode('g'), usages: serving }),
  approving('by-another-signer', { signer: 'client', wanted: ofNode('h') }),
  {
    name: 'approving-of-oneself',
    steps: [
      async (estate) => {
        await estate.create('clusterrolebindings', 'own', {
          fields: {
            roleRef: {
              apiGroup: 'rbac.authorization.k8s.io',
              kind: 'ClusterRole',
              name: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
            },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:node:own' }],
          },
        });
      },
      (estate) => ask(estate, { signer: 'kubelet', wanted: ofNode('own'), user: { name: 'system:node:own', group: 'system:nodes' } }),
    ],
  },

  signing('a-client', { signer: 'client', wanted: { commonName: 'jane', organizations: ['devs', 'admins'] } }),
  signing('a-client-for-an-hour', { signer: 'client', wanted: { commonName: 'jane' }, expirationSeconds: 3600 }),
  signing('a-client-for-ten-hours', { signer: 'client', wanted: { commonName: 'jane' }, expirationSeconds: 36_000 }),
  signing('a-client-for-ten-minutes', { signer: 'client', wanted: { commonName: 'jane' }, expirationSeconds: 600 }),
  signing('a-client-for-ten-years', { signer: 'client', wanted: { commonName: 'jane' }, expirationSeconds: 315_360_000 }),
  signing('a-client-with-names', {
    signer: 'client',
    wanted: {
      commonName: 'jane & co*',
      uris: ['spiffe://example.com/jane'],
      addresses: ['192.0.2.1', '2001:db8::1'],
      dns: ['jane.example.com'],
      emails: ['jane@example.com'],
    },
  }),
  signing('a-client-that-serves', { signer: 'client', wanted: { commonName: 'jane' }, usages: [...client, 'server auth'] }),
  signing('a-client-that-is-none', { signer: 'client', wanted: { commonName: 'jane' }, usages: ['digital signature'] }),
  signing('a-kubelet', { signer: 'serving', wanted: { ...ofNode('s'), dns: ['s'], addresses: ['192.0.2.7'] }, usages: serving }),
  signing('a-kubelet-without-names', { signer: 'serving', wanted: ofNode('s'), usages: serving }),
  signing('a-kubelet-with-mail', { signer: 'serving', wanted: { ...ofNode('s'), dns: ['s'], emails: ['s@example.com'] }, usages: serving }),
  signing('a-kubelet-of-another-name', {
    signer: 'serving',
    wanted: { commonName: 'someone', organizations: ['system:nodes'], dns: ['s'] },
    usages: serving,
  }),
  signing('for-another-signer', { signer: 'other', wanted: { commonName: 'jane' } }),
  signing('what-was-denied', { signer: 'client', wanted: { commonName: 'jane' } }, 'Denied'),

  cleaning('denied-long-ago', 'Denied', 2),
  cleaning('denied-now', 'Denied', 0),
  cleaning('failed-long-ago', 'Failed', 2),
  cleaning('approved-today', 'Approved', 2),
  cleaning('approved-yesterday', 'Approved', 25),
  cleaning('issued-long-ago', 'Approved', 2, validFor(-day, day)),
  cleaning('issued-now', 'Approved', 0, validFor(-day, day)),
  cleaning('issued-and-expired', 'Approved', 0, validFor(-2 * day, -day)),
  {
    name: 'cleaning-undecided',
    before: (estate) => ask(estate, { signer: 'other', wanted: ofNode('n') }),
    steps: [async () => {}],
  },
];
