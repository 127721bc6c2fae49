/** Files of configuration that API servers read again, as texts. */

const text = (object: object): string => `${JSON.stringify(object, undefined, 1)}\n`;
const config = 'apiserver.config.k8s.io';

/** `more`: authorizers after those of every server */
export function authorizationText(more: readonly string[] = []): string {
  const authorizers = ['Node', 'RBAC', ...more].map((type) => ({ type, name: type.toLowerCase() }));
  return text({ apiVersion: `${config}/v1`, kind: 'AuthorizationConfiguration', authorizers });
}

export function authenticationText(issuer: string, certificateAuthority: string, prefix: string): string {
  const claimMappings = { username: { claim: 'sub', prefix } };
  const jwt = [{ issuer: { url: issuer, audiences: ['reload'], certificateAuthority }, claimMappings }];
  return text({ apiVersion: `${config}/v1`, kind: 'AuthenticationConfiguration', jwt });
}

/** What is written is encrypted with the first key. */
export function encryptionText(...names: readonly string[]): string {
  const keys = names.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') }));
  const providers = [{ aescbc: { keys } }, { identity: {} }];
  return text({ apiVersion: `${config}/v1`, kind: 'EncryptionConfiguration', resources: [{ resources: ['secrets'], providers }] });
}

export function admissionText(staticManifestsDir: string): string {
  const configuration = { apiVersion: `${config}/v1`, kind: 'ValidatingAdmissionPolicyConfiguration', staticManifestsDir };
  const plugins = [{ name: 'ValidatingAdmissionPolicy', configuration }];
  return text({ apiVersion: `${config}/v1`, kind: 'AdmissionConfiguration', plugins });
}

/** A policy that keeps ConfigMaps of this name away. */
export function manifestText(refused: string): string {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const policy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'reload.static.k8s.io' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: `object.metadata.name != "${refused}"` }],
    },
  };
  const binding = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'binding.static.k8s.io' },
    spec: { policyName: 'reload.static.k8s.io', validationActions: ['Deny'] },
  };
  return `${text(policy)}---\n${text(binding)}`;
}
