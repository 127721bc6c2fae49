// Upstream: plugin/pkg/admission/network/defaultingressclass/admission.go
import type { Ingress } from '../../schema/types/networking-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { concerns } from '../common/concerns.ts';
import { newestDefault } from '../common/newest-default.ts';

const group = 'networking.k8s.io';
const classAnnotation = 'kubernetes.io/ingress.class';
const defaultAnnotation = 'ingressclass.kubernetes.io/is-default-class';

/** An ingress that names no class gets the default one, if there is any. */
export const defaultIngressClass = definePlugin({
  name: 'DefaultIngressClass',
  enabledByDefault: true,
  create: ({ cluster }) => ({
    handles: (attributes) => attributes.operation === 'CREATE' && concerns(attributes, group, 'ingresses'),
    async mutate({ object }) {
      const { metadata, spec } = object as unknown as Ingress;
      if (spec.ingressClassName !== undefined || metadata.annotations?.[classAnnotation] !== undefined) return;
      const classes = await cluster.list<KubeObject>(group, 'ingressclasses', '');
      const standard = newestDefault(classes, (one) => one.metadata.annotations?.[defaultAnnotation] === 'true');
      if (standard !== undefined) spec.ingressClassName = standard.metadata.name as string;
    },
  }),
});
