// Upstream: k8s.io/kubernetes/pkg/registry/core/secret/strategy.go, k8s.io/kubernetes/pkg/apis/core/v1/{defaults,conversion}.go
import type { Secret } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { fillNulls, hasNulls } from '../../common/keyed-data.ts';
import { keyPairProblem } from './key-pair.ts';
import { typeTls, validate, validateUpdate } from './validation.ts';

type SecretObject = Secret & KubeObject;

export const secrets = defineResource<SecretObject>({
  group: '',
  plural: 'secrets',
  strategy: {
    defaults(secret) {
      secret.type ||= 'Opaque';
      foldStringData(secret);
      fillNulls(secret.data);
    },
    isReadOtherwise: ({ data }) => hasNulls(data),
    prepareForUpdate(secret, old) {
      if (!secret.type && old.type) secret.type = old.type;
    },
    validate,
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  selectableFields: { type: ({ type }) => type ?? '' },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
  columns: [
    { name: 'Type', type: 'string', description: docOf('io.k8s.api.core.v1.Secret', 'type'), cell: ({ type }) => type ?? '' },
    {
      name: 'Data',
      type: 'string',
      description: docOf('io.k8s.api.core.v1.Secret', 'data'),
      cell: ({ data }) => Object.keys(data ?? {}).length,
    },
    ageColumn,
  ],
});

/** stringData is only for writing: it becomes data, and is neither owned nor read afterwards. */
function foldStringData(secret: SecretObject): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  for (const key of Object.keys(stringData)) {
    secret.data ??= {};
    secret.data[key] = Buffer.from(stringData[key] as string).toString('base64');
  }
  delete secret.stringData;
}

function warnings({ type, data }: SecretObject): readonly string[] {
  if (type !== typeTls) return [];
  const problem = keyPairProblem(data?.['tls.crt'] ?? '', data?.['tls.key'] ?? '');
  return problem === undefined ? [] : [problem];
}
