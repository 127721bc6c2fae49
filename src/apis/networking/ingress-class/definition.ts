// Upstream: k8s.io/kubernetes/pkg/registry/networking/ingressclass/strategy.go, k8s.io/kubernetes/pkg/apis/networking/v1/defaults.go
import type { IngressClass } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn, nameColumn } from '../../../table/common-columns.ts';
import { validate, validateUpdate } from './validation.ts';

const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';

export const ingressClasses = defineResource<IngressClass & KubeObject>({
  group: 'networking.k8s.io',
  plural: 'ingressclasses',
  strategy: {
    generation: true,
    defaults({ spec }) {
      if (spec.parameters !== undefined) spec.parameters.scope ??= 'Cluster';
    },
    validate,
    validateUpdate,
  },
  columns: [
    {
      ...nameColumn,
      cell: ({ metadata }) => `${metadata.name}${metadata.annotations?.[defaultAnnotation] === 'true' ? ' (default)' : ''}`,
    },
    {
      name: 'Controller',
      type: 'string',
      description: 'Controller that is responsible for handling this class',
      cell: ({ spec }) => spec.controller ?? '',
    },
    {
      name: 'Parameters',
      type: 'string',
      description: 'A reference to a resource with additional parameters',
      cell: ({ spec: { parameters } }) => {
        if (parameters === undefined) return '<none>';
        const { apiGroup, kind, name } = parameters;
        return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
      },
    },
    ageColumn,
  ],
});
