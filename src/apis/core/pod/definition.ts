// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go, k8s.io/kubernetes/pkg/registry/core/pod/storage/storage.go
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { checkDns1123Label } from '../../../machinery/names.ts';
import type { DeleteOptions } from '../../../server/registry/delete.ts';
import type { KubeObject, ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import type { OutgoingConnections } from '../../common/kubelet.ts';
import { bindPod } from '../../common/pod-spec/pod-binding.ts';
import { podWarnings } from '../../common/pod-spec/warnings.ts';
import { podColumns, podRowConditions } from './columns.ts';
import { defaultPod } from './defaults.ts';
import { ephemeralContainers } from './ephemeral-containers.ts';
import { eviction } from './eviction.ts';
import { log } from './log.ts';
import type { PodObject } from './pod-object.ts';
import { prepareForCreate, prepareForUpdate } from './prepare.ts';
import { proxy } from './proxy.ts';
import { resize } from './resize.ts';
import { podStatus } from './status.ts';
import { portForward, processStreams } from './stream.ts';
import { validateUpdate } from './update-validation.ts';
import { validateCreate } from './validation.ts';

export function pods({
  outgoing,
  metrics,
}: {
  readonly outgoing: OutgoingConnections;
  readonly metrics: MetricsRegistry;
}): ResourceDefinition {
  return defineResource<PodObject>({
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
      validate: (pod, context) => validateCreate(pod, context),
      validateUpdate: (pod, old, context) => validateUpdate(pod, old, context),
      warningsOnCreate({ metadata, spec }, { features }) {
        const problems = checkDns1123Label(metadata.name ?? '');
        const hostname = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
        const warnings = problems.length === 0 ? [] : [`metadata.name: ${hostname}: [${problems.join(' ')}]`];
        return [...warnings, ...podWarnings(spec, metadata.annotations, features)];
      },
      gracefulDelete: chooseGracePeriod,
    },
    status: podStatus,
    subresources: {
      attach: processStreams(outgoing, 'attach', metrics),
      binding: {
        body: { group: '', version: 'v1', kind: 'Binding' },
        create: ({ name, body, context }) => bindPod(name, body as KubeObject, context),
      },
      ephemeralcontainers: { update: ephemeralContainers },
      eviction,
      exec: processStreams(outgoing, 'exec', metrics),
      log: log(outgoing, metrics),
      portforward: portForward(outgoing, metrics),
      proxy: proxy(outgoing),
      resize: { update: resize },
    },
    selectableFields: {
      'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
      'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
      'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
      'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
      'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
      'status.phase': ({ status }) => status?.phase ?? '',
      'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? '',
      // Known, but of no value that could be selected.
      'status.podIPs': () => '',
      'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
    },
    unknownFieldLabel: (label) => `field label not supported: ${label}`,
    indexedFields: ['spec.nodeName'],
    // Clients of long ago say spec.host.
    conversions: { v1: { toStorage: (pod) => pod as PodObject, fromStorage: (pod) => pod, fieldLabels: { 'spec.host': 'spec.nodeName' } } },
    columns: podColumns,
    rowConditions: podRowConditions,
  });
}

/** As asked for, else as the pod says; none for a pod that never ran or has ended. */
function chooseGracePeriod({ spec, status }: PodObject, options: DeleteOptions): boolean {
  const ended = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  const period = Number(options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 0);
  options.gracePeriodSeconds = !spec.nodeName || ended ? 0 : period < 0 ? 1 : period;
  return true;
}
