import { createAuthority, issueCertificate } from '../../../base/tls/certificate.ts';
import { create, describeKind, list, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const validity = { from: new Date('2024-01-01T00:00:00Z'), to: new Date('2124-01-01T00:00:00Z') };
const authority = createAuthority({ commonName: 'ca' }, validity);
const anchor = authority.certificate;
const leaf = issueCertificate(authority, { subject: { commonName: 'leaf' }, uses: ['client'], validity }).certificate;
const path = '/apis/certificates.k8s.io/v1/clustertrustbundles';
const bundle = (trustBundle: string): object => ({ spec: { trustBundle } });
const signed = (name: string): object => ({
  metadata: { name: `example.com:signer:${name}` },
  spec: { signerName: 'example.com/signer', trustBundle: anchor },
});
const headers = { 'content-type': 'application/merge-patch+json' };

describeKind('a ClusterTrustBundle', {
  path,
  cases: [
    [
      'is a bundle of anchors',
      [create(bundle(anchor))],
      { fields: { metadata: { generation: undefined }, spec: { signerName: undefined, trustBundle: anchor } } },
    ],
    ['may have text around its anchors', [create(bundle(`a comment\n${anchor}`))], { status: 201 }],
    [
      'has an anchor at least',
      [create(bundle('nothing'))],
      { causes: ['spec.trustBundle: Invalid value: "<value omitted>": at least one trust anchor must be provided'] },
    ],
    [
      'has each anchor once',
      [create(bundle(anchor + anchor))],
      { causes: ['spec.trustBundle: Invalid value: "<value omitted>": duplicate trust anchor (indices [0 1])'] },
    ],
    [
      'has no certificates but those of authorities',
      [create(bundle(leaf))],
      { causes: ['spec.trustBundle: Invalid value: "<value omitted>": entry 0 does not have the CA bit set'] },
    ],
    [
      'has no other blocks',
      [create(bundle('-----BEGIN KEY-----\neA==\n-----END KEY-----\n'))],
      { causes: ['spec.trustBundle: Invalid value: "<value omitted>": entry 0 has bad block type: KEY'] },
    ],
    [
      'has certificates that can be read',
      [create(bundle('-----BEGIN CERTIFICATE-----\neA==\n-----END CERTIFICATE-----\n'))],
      { causes: ['spec.trustBundle: Invalid value: "<value omitted>": entry 0 does not parse as X.509'] },
    ],
    [
      'has a colon in its name only when it has a signer',
      [create({ ...bundle(anchor), metadata: { name: 'a:b' } })],
      { causes: ['metadata.name: Invalid value: "a:b": ClusterTrustBundle without signer name must not have ":" in its name'] },
    ],
    [
      'begins with its signer in its name',
      [create({ metadata: { name: 'x' }, spec: { signerName: 'example.com/signer', trustBundle: anchor } })],
      {
        causes: [
          'metadata.name: Invalid value: "x": ClusterTrustBundle for signerName example.com/signer must be named with prefix example.com:signer:',
        ],
      },
    ],
    [
      'has a signer with a domain',
      [create({ metadata: { name: 'signer:x' }, spec: { signerName: 'signer', trustBundle: anchor } })],
      {
        causes: [
          `spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
        ],
      },
    ],
    [
      'keeps its signer',
      [create(signed('keeps')), send('PATCH', `${path}/example.com:signer:keeps`, { spec: { signerName: 'example.com/other' } }, headers)],
      {
        causes: [
          'metadata.name: Invalid value: "example.com:signer:keeps": ClusterTrustBundle for signerName example.com/other must be named with prefix example.com:other:',
          'spec.signerName: Invalid value: "example.com/other": field is immutable',
        ],
      },
    ],
    [
      'is found by its signer',
      [create(signed('found')), list('fieldSelector=spec.signerName=example.com/signer,metadata.name=example.com:signer:found')],
      { fields: { items: [{ metadata: { name: 'example.com:signer:found' } }] } },
    ],
    ['gets other anchors', [create(bundle(anchor)), merge({ spec: { trustBundle: `other\n${anchor}` } })], { status: 200 }],
    [
      'is judged again when it is replaced',
      [create(bundle(anchor)), replace({ spec: { trustBundle: leaf } })],
      { causes: ['spec.trustBundle: Invalid value: "<value omitted>": entry 0 does not have the CA bit set'] },
    ],
    ['shows its signer', [create(bundle(anchor)), table], { cells: { Name: '{name}', SignerName: '<none>' } }],
  ],
});
