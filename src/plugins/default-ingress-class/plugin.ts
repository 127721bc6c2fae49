// Upstream: k8s.io/kubernetes/plugin/pkg/admission/network/defaultingressclass/admission.go
import type { Ingress } from '../../schema/types/networking-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { newestDefault } from '../common/newest-default.ts';

const group = 'networking.k8s.io';
const classAnnotation = 'kubernetes.io/ingress.class';
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';

const ingresses = requestsFor<Ingress>(group, 'ingresses');

/** An ingress that names no class gets the default one, if there is any. */
export const defaultIngressClass = definePlugin({
  name: 'DefaultIngressClass',
  enabledByDefault: true,
  create: ({ reader }) =>
    admitting(ingresses.on(['CREATE']), {
      async mutate({ object: { metadata, spec } }) {
        if (spec.ingressClassName !== undefined || metadata.annotations?.[classAnnotation] !== undefined) return;
        const classes = await reader.list<KubeObject>(group, 'ingressclasses', '');
        const standard = newestDefault(classes, (one) => one.metadata.annotations?.[defaultAnnotation] === 'true');
        if (standard !== undefined) spec.ingressClassName = standard.metadata.name as string;
      },
    }),
});
