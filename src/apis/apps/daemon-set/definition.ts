// Upstream: k8s.io/kubernetes/pkg/registry/apps/daemonset/strategy.go, k8s.io/kubernetes/pkg/apis/apps/v1/{defaults,conversion}.go
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { DaemonSet } from '../../../schema/types/apps-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { formatLabels } from '../../../table/format-labels.ts';
import { defaultPodTemplate } from '../../common/pod-spec/defaults.ts';
import { containerColumns, countColumn, selectorColumn } from '../../common/workload/columns.ts';
import { dropDisabled, templateOptions, templateWarnings } from '../../common/workload/template-hooks.ts';
import { validateDaemonSetSpec, validateDaemonSetStatus, validateDaemonSetUpdate } from './validation.ts';

export type DaemonSetObject = DaemonSet & KubeObject;

const statusType = 'io.k8s.api.apps.v1.DaemonSetStatus';
const revisionHistoryLimit = 10;
/** what once was a field of the spec lives on here */
const templateGeneration = 'deprecated.daemonset.template.generation';

export const daemonSets = defineResource<DaemonSetObject>({
  group: 'apps',
  plural: 'daemonsets',
  strategy: {
    generation: true,
    defaults(daemonSet) {
      const { spec } = daemonSet;
      setTemplateGeneration(daemonSet, templateGenerationOf(daemonSet));
      defaultPodTemplate(spec.template);
      const strategy = (spec.updateStrategy ??= {});
      strategy.type ||= 'RollingUpdate';
      if (strategy.type === 'RollingUpdate') {
        const rolling = (strategy.rollingUpdate ??= {});
        rolling.maxUnavailable ??= 1;
        rolling.maxSurge ??= 0;
      }
      spec.revisionHistoryLimit ??= revisionHistoryLimit;
    },
    prepareForCreate(daemonSet, context) {
      daemonSet.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
      dropDisabled(daemonSet, undefined, context);
      setTemplateGeneration(daemonSet, Math.max(1, templateGenerationOf(daemonSet)));
    },
    prepareForUpdate(daemonSet, old, context) {
      dropDisabled(daemonSet, old, context);
      const changed = !semanticDeepEqual(daemonSet.spec.template, old.spec.template);
      setTemplateGeneration(daemonSet, templateGenerationOf(old) + (changed ? 1 : 0));
    },
    validate: (daemonSet, context) => validateDaemonSetSpec(daemonSet.spec, templateOptions(daemonSet, undefined, context)),
    validateUpdate: (daemonSet, old, context) =>
      validateDaemonSetUpdate(daemonSet.spec, old.spec, templateOptions(daemonSet, old, context)),
    warningsOnCreate: templateWarnings,
    warningsOnUpdate: (daemonSet, old, context) =>
      templateGenerationOf(daemonSet) === templateGenerationOf(old) ? [] : templateWarnings(daemonSet, context),
  },
  status: {
    prepareForUpdate: (daemonSet, old) => setTemplateGeneration(daemonSet, templateGenerationOf(old)),
    validateUpdate: ({ status }, old) => validateDaemonSetStatus(status, old.status),
  },
  fieldAnnotations: [templateGeneration],
  columns: [
    countColumn('Desired', 'integer', [statusType, 'desiredNumberScheduled'], ({ status }) => status?.desiredNumberScheduled ?? 0),
    countColumn('Current', 'integer', [statusType, 'currentNumberScheduled'], ({ status }) => status?.currentNumberScheduled ?? 0),
    countColumn('Ready', 'integer', [statusType, 'numberReady'], ({ status }) => status?.numberReady ?? 0),
    countColumn('Up-to-date', 'integer', [statusType, 'updatedNumberScheduled'], ({ status }) => status?.updatedNumberScheduled ?? 0),
    countColumn('Available', 'integer', [statusType, 'numberAvailable'], ({ status }) => status?.numberAvailable ?? 0),
    {
      name: 'Node Selector',
      type: 'string',
      description: docOf('io.k8s.api.core.v1.PodSpec', 'nodeSelector'),
      cell: ({ spec }) => formatLabels(spec.template.spec.nodeSelector),
    },
    ageColumn,
    ...containerColumns<DaemonSetObject>(({ spec }) => spec.template.spec.containers),
    selectorColumn('io.k8s.api.apps.v1.DaemonSetSpec', ({ spec }) => spec.selector),
  ],
});

function templateGenerationOf({ metadata }: DaemonSetObject): number {
  const value = Number(metadata.annotations?.[templateGeneration] ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

function setTemplateGeneration({ metadata }: DaemonSetObject, value: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(value) };
}
