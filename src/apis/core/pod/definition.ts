// Upstream: pkg/registry/core/pod/strategy.go, pkg/registry/core/pod/storage/storage.go
import { isDns1123Label } from '../../../machinery/names.ts';
import type { DeleteOptions } from '../../../server/registry/delete.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { podWarnings } from '../../common/pod-spec/warnings.ts';
import { podColumns } from './columns.ts';
import { defaultPod } from './defaults.ts';
import type { PodObject } from './pod-object.ts';
import { prepareForCreate, prepareForUpdate } from './prepare.ts';
import { validateCreate } from './validation.ts';

export const pods = defineResource<PodObject>({
  group: '',
  plural: 'pods',
  strategy: {
    returnDeletedObject: true,
    defaults: defaultPod,
    prepareForCreate(pod, context) {
      pod.metadata.generation = 1;
      prepareForCreate(pod, context);
    },
    prepareForUpdate,
    validate: (pod, { features }) => validateCreate(pod, features),
    warningsOnCreate({ metadata, spec }, { features }) {
      const problems = isDns1123Label(metadata.name ?? '');
      const hostname = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
      const warnings = problems.length === 0 ? [] : [`metadata.name: ${hostname}: [${problems.join(' ')}]`];
      return [...warnings, ...podWarnings(spec, metadata.annotations, features)];
    },
    gracefulDelete: chooseGracePeriod,
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status?.phase ?? '',
    'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? '',
    'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
  indexedFields: ['spec.nodeName'],
  columns: podColumns,
});

/** As asked for, else as the pod says; none for a pod that never ran or has ended. */
function chooseGracePeriod({ spec, status }: PodObject, options: DeleteOptions): boolean {
  const ended = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  const period = Number(options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 0);
  options.gracePeriodSeconds = !spec.nodeName || ended ? 0 : period < 0 ? 1 : period;
  return true;
}
