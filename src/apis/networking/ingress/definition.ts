// Upstream: k8s.io/kubernetes/pkg/registry/networking/ingress/strategy.go
import { FieldPath } from '../../../machinery/field.ts';
import { warningsForIp } from '../../../machinery/ip-validation.ts';
import type { Ingress } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { columns } from './columns.ts';
import { classAnnotation, validate, validateStatusUpdate, validateUpdate } from './validation.ts';

export const ingresses = defineResource<Ingress & KubeObject>({
  group: 'networking.k8s.io',
  plural: 'ingresses',
  strategy: {
    generation: true,
    validate,
    validateUpdate,
    warningsOnCreate: ({ metadata, spec }) =>
      metadata.annotations?.[classAnnotation] !== undefined && spec.ingressClassName === undefined
        ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
        : [],
  },
  status: {
    validateUpdate: validateStatusUpdate,
    warningsOnUpdate: ({ status }) =>
      (status.loadBalancer.ingress ?? []).flatMap(({ ip }, index) =>
        ip ? warningsForIp(ip, FieldPath.root('status', 'loadBalancer', 'ingress').index(index)) : [],
      ),
  },
  columns,
});
