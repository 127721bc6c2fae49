import type { KeyPair } from '../../src/base/tls/certificate.ts';
import { authorizationText, encryptionText, manifestText } from './reload-configurations.ts';
import { authorityOf, fingerprint, pairOf, replace } from './reload-files.ts';
import type { Answer } from './reload-load.ts';
import type { Site } from './reload-site.ts';

export interface Case {
  readonly name: string;
  /** files that are half-written first, one after the other */
  readonly files: (site: Site) => readonly string[];
  /** a series that tells of a broken file; upstream looks at some of them once a minute */
  readonly tells?: RegExp;
  /** Puts the new ones in place; returns how to find out that they are in use. */
  readonly renew: (site: Site, round: number) => () => Promise<boolean>;
}

const pairCase = (name: string, file: string, make: (site: Site) => KeyPair, seen: (site: Site) => Promise<string>): Case => ({
  name,
  files: (site) => [site.path(`${file}.crt`), site.path(`${file}.key`)],
  renew: (site) => {
    const pair = make(site);
    site.put(file, pair);
    return async () => (await seen(site)) === fingerprint(pair.certificate);
  },
});

/** A file that is read again as a whole, and of which metrics tell. */
const configurationCase = (
  name: string,
  file: string,
  next: (site: Site, round: number) => { readonly text: string; readonly isInUse: () => Promise<boolean> },
): Case => ({
  name,
  tells: new RegExp(`_${name.replace(/^admission manifests$/, 'manifest_admission')}_config_controller_automatic_reloads_total.*failure`),
  files: (site) => [site.path(file)],
  renew: (site, round) => {
    const { text, isInUse } = next(site, round);
    replace(site.path(file), text);
    return isInUse;
  },
});
const clientOf = ({ body }: Answer): string => (JSON.parse(body) as { client: string }).client;

export const cases: readonly Case[] = [
  {
    name: 'serving pair',
    files: ({ server: { files } }) => [files.serving.certificate, files.serving.key],
    renew: (site) => {
      const pair = pairOf(site.ca, 'kube-apiserver', ['server']);
      replace(site.server.files.serving.key, pair.key);
      replace(site.server.files.serving.certificate, pair.certificate);
      return async () => (await site.shown()) === fingerprint(pair.certificate);
    },
  },
  pairCase(
    'SNI pair',
    'sni',
    (site) => pairOf(site.ca, 'sni', ['server']),
    (site) => site.shown('sni.example.com'),
  ),
  {
    name: 'client CA',
    files: ({ server: { files } }) => [files.authority],
    renew: (site) => {
      const next = authorityOf('next');
      const { certificate, key } = pairOf(next, 'newcomer', ['client'], ['system:masters']);
      replace(site.server.files.authority, site.ca.certificate + next.certificate);
      return async () => (await site.get('/api/v1/namespaces/default', { cert: certificate, key })).status === 200;
    },
  },
  {
    name: 'front-proxy CA',
    files: (site) => [site.path('front-ca.crt')],
    renew: (site) => {
      const next = authorityOf('next front proxy');
      const { certificate, key } = pairOf(next, 'front-proxy', ['client']);
      replace(site.path('front-ca.crt'), site.frontCa.certificate + next.certificate);
      const headers = { 'x-remote-user': 'somebody', 'x-remote-group': 'system:masters' };
      return async () => (await site.get('/api/v1/namespaces/default', { cert: certificate, key, headers })).status === 200;
    },
  },
  pairCase(
    'proxy client',
    'proxy',
    (site) => pairOf(site.frontCa, 'front-proxy', ['client']),
    async (site) => clientOf(await site.get('/apis/reload.example.com/v1')),
  ),
  pairCase(
    'kubelet client',
    'kubelet',
    (site) => pairOf(site.ca, 'kube-apiserver-kubelet-client', ['client'], ['system:masters']),
    async (site) => clientOf(await site.get('/api/v1/namespaces/default/pods/reload/log')),
  ),
  {
    name: 'etcd client',
    // Read when a connection is made: half of it is of no use to any server.
    files: () => [],
    renew: (site) => {
      const pair = pairOf(site.ca, 'kube-apiserver-etcd-client', ['client']);
      site.put('etcd', pair);
      site.door.cut();
      return async () => site.door.last === fingerprint(pair.certificate);
    },
  },
  configurationCase('authorization', 'authorization.yaml', (site, round) => {
    const { certificate: cert, key } = pairOf(site.ca, 'stranger', ['client']);
    const isAllowed = round % 2 === 1;
    return {
      text: authorizationText(isAllowed ? ['AlwaysAllow'] : []),
      isInUse: async () => (await site.get('/api/v1/namespaces/default', { cert, key })).status === (isAllowed ? 200 : 403),
    };
  }),
  configurationCase('authentication', 'authentication.yaml', (site, round) => {
    let asked = 0;
    return {
      text: site.authentication(`round${round}:`),
      // Another user each time: what a token says may be kept for a while.
      isInUse: async () => (await site.nameOf(`somebody-${round}-${++asked}`)).startsWith(`round${round}:`),
    };
  }),
  configurationCase('encryption', 'encryption.yaml', (site, round) => {
    const [first, second] = round % 2 === 1 ? (['second', 'first'] as const) : (['first', 'second'] as const);
    return {
      text: encryptionText(first, second),
      isInUse: async () => (await site.stored('/registry/secrets/default/reload')).startsWith(`k8s:enc:aescbc:v1:${first}:`),
    };
  }),
  configurationCase('admission manifests', 'manifests/policy.yaml', (site, round) => ({
    text: manifestText(`other-${round}`),
    isInUse: async () => {
      const { status } = await site.server.request('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', {
        metadata: { name: `other-${round}` },
      });
      return status === 422;
    },
  })),
];
