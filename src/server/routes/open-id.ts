// Upstream: k8s.io/kubernetes/pkg/serviceaccount/openidmetadata.go, k8s.io/kubernetes/pkg/routes/openidmetadata.go
import { serverResponseError } from '../../machinery/server-response-error.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { requireProducedTypes } from '../http/produced.ts';
import type { PathMux } from '../http/path-mux.ts';
import type { VerificationKey } from '../access/authn/service-account/keys.ts';
import { jsonWebKey } from '../access/authn/service-account/keys.ts';

const configurationPath = '/.well-known/openid-configuration';
const defaultMaxAgeSeconds = 3600;
export const keySetPath = '/openid/v1/jwks';

/** What others need to verify tokens of this server. */
export interface OpenIdDocuments {
  readonly configuration: Buffer;
  readonly keySet: Buffer;
  /** for how long they may be taken for current; undefined: as usual */
  readonly maxAgeSeconds?: number | undefined;
}

/** Throws when the issuer or the address of the keys is not what OpenID asks for; the server then goes without. */
export function refuseOpenId(issuer: string, keySetUri: string): void {
  const url = new URL(issuer);
  if (url.protocol !== 'https:') throw new Error(`issuer URL must use https scheme, got: ${issuer}`);
  if (url.search !== '') throw new Error(`issuer URL may not include a query, got: ${issuer}`);
  if (url.hash !== '') throw new Error(`issuer URL may not include a fragment, got: ${issuer}`);
  if (new URL(keySetUri).protocol !== 'https:') throw new Error(`jwksURI requires https scheme, parsed as: ${keySetUri}`);
}

export function openIdDocuments(issuer: string, keySetUri: string, keys: readonly VerificationKey[]): OpenIdDocuments {
  const configuration = {
    issuer,
    jwks_uri: keySetUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].toSorted(),
  };
  return {
    configuration: Buffer.from(JSON.stringify(configuration)),
    keySet: Buffer.from(JSON.stringify({ keys: keys.map(jsonWebKey) })),
  };
}

/** What relying parties fetch to verify tokens without asking this server. */
export function installOpenId(mux: PathMux, current: () => OpenIdDocuments): void {
  const answer =
    (contentType: string, which: 'configuration' | 'keySet') =>
    (request: Request): Response => {
      if (request.method !== 'GET') throw serverResponseError({ code: 405 });
      requireProducedTypes(request, [contentType]);
      const { maxAgeSeconds = defaultMaxAgeSeconds, [which]: body } = current();
      return { status: 200, headers: { 'content-type': contentType, 'cache-control': `public, max-age=${maxAgeSeconds}` }, body };
    };
  const documents = [
    [configurationPath, answer('application/json', 'configuration')],
    [keySetPath, answer('application/jwk-set+json', 'keySet')],
  ] as const;
  for (const [path, document] of documents) {
    mux.handle(path, document);
    mux.handleUnlisted(`${path}/`, document);
  }
}
