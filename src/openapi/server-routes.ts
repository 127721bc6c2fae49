// Upstream: k8s.io/apiserver/pkg/endpoints/discovery, k8s.io/apiserver/pkg/server/routes, k8s.io/kubernetes/pkg/routes/openidmetadata.go
import type { MediaRange, Route } from './route.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The documents of what is no resource, by name: those of discovery and of the server's plain paths. */
export function discoveryRoute(name: string, media: MediaRange): Route {
  const [description, operation, kind] =
    name === 'api'
      ? ['get available API versions', 'getAPIVersions', 'APIVersions']
      : name === 'apis'
        ? ['get available API versions', 'getAPIVersions', 'APIGroupList']
        : name.split('/').length === 2 && name.startsWith('apis/')
          ? ['get information of a group', 'getAPIGroup', 'APIGroup']
          : ['get available resources', 'getAPIResources', 'APIResourceList'];
  return plainRoute(`/${name}/`, operation, description, media.plain, `${meta}.${kind}`, media.plain);
}

const json = ['application/json'];

/** Document name -> what stands in it. `logs` is there only when the server shows its log files. */
export const serverRoutes: Readonly<Record<string, readonly Route[]>> = {
  version: [
    plainRoute(
      '/version/',
      'getCodeVersion',
      'get the version information for this server',
      json,
      'io.k8s.apimachinery.pkg.version.Info',
      json,
    ),
  ],
  '.well-known/openid-configuration': [
    plainRoute(
      '/.well-known/openid-configuration/',
      'getServiceAccountIssuerOpenIDConfiguration',
      "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
      json,
      undefined,
      [],
    ),
  ],
  'openid/v1/jwks': [
    plainRoute(
      '/openid/v1/jwks/',
      'getServiceAccountIssuerOpenIDKeyset',
      'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
      ['application/jwk-set+json'],
      undefined,
      [],
    ),
  ],
  logs: [
    { method: 'get', path: '/logs/', operation: 'logFileListHandler', parameters: [], consumes: [], produces: [], responses: [] },
    {
      method: 'get',
      path: '/logs/{logpath}',
      operation: 'logFileHandler',
      parameters: [{ name: 'logpath', in: 'path', type: 'string', description: 'path to the log' }],
      consumes: [],
      produces: [],
      responses: [],
    },
  ],
};

function plainRoute(
  path: string,
  operation: string,
  description: string,
  produces: readonly string[],
  type: string | undefined,
  consumes: readonly string[],
): Route {
  return {
    method: 'get',
    path,
    operation,
    description,
    parameters: [],
    consumes,
    produces,
    responses: [{ code: 200, description: 'OK', type }],
  };
}
