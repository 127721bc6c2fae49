// Upstream: k8s.io/kubernetes/pkg/registry/core/serviceaccount/strategy.go
import type { ServiceAccount } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { tokenSubresource } from '../../common/token-request/subresource.ts';
import { ageColumn } from '../../../table/common-columns.ts';

type ServiceAccountObject = ServiceAccount & KubeObject;

const enforceMountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

export const serviceAccounts = defineResource<ServiceAccountObject>({
  group: '',
  plural: 'serviceaccounts',
  strategy: {
    prepareForCreate: nameSecretsOnly,
    prepareForUpdate: nameSecretsOnly,
    validateUpdate: ({ metadata }) => validateMetadata(metadata, true),
    warningsOnCreate: (account) => warnings(account, undefined),
    warningsOnUpdate: warnings,
    returnDeletedObject: true,
  },
  subresources: { token: tokenSubresource },
  columns: [ageColumn],
});

/** A reference to a secret is its name; the rest that an object reference could carry means nothing here. */
function nameSecretsOnly(account: ServiceAccountObject): void {
  if (account.secrets !== undefined) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

function warnings({ metadata }: ServiceAccountObject, old: ServiceAccountObject | undefined): readonly string[] {
  if (old?.metadata.annotations?.[enforceMountableSecrets] !== undefined) return [];
  if (metadata.annotations?.[enforceMountableSecrets] === undefined) return [];
  return [
    `metadata.annotations[${enforceMountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
  ];
}
