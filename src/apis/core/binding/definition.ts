// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/storage/storage.go#LegacyBindingREST
import { defineResource } from '../../../server/registry/definition.ts';
import { bindPod } from '../../common/pod-spec/pod-binding.ts';

/** The older way to bind a pod: it is named in the body only. */
export const bindings = defineResource({
  group: '',
  plural: 'bindings',
  virtual: { create: (body, context) => bindPod(body.metadata.name ?? '', body, context) },
});
