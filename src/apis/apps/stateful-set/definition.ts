// Upstream: k8s.io/kubernetes/pkg/registry/apps/statefulset/strategy.go
import { FieldPath } from '../../../machinery/field.ts';
import { nameIsDnsLabel } from '../../../machinery/names.ts';
import type { ListType, Type } from '../../../machinery/type-model.ts';
import type { StatefulSet } from '../../../schema/types/apps-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject, ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { typeAt } from '../../common/internal-value.ts';
import { claimSpecWarnings } from '../../common/persistent-volume-claim-spec.ts';
import { containerColumns } from '../../common/workload/columns.ts';
import { selectorText } from '../../common/workload/selector.ts';
import { dropDisabled, templateOptions, templateWarnings, updateWarnings } from '../../common/workload/template-hooks.ts';
import { replicasScale } from '../../common/workload/scale.ts';
import { defaultStatefulSet } from './defaults.ts';
import { validateStatefulSetSpec, validateStatefulSetStatus, validateStatefulSetUpdate } from './validation.ts';

export type StatefulSetObject = StatefulSet & KubeObject;

export function statefulSets({ features }: { readonly features: FeatureGates }): ResourceDefinition {
  const defaultsMaxUnavailable = features.enabled('MaxUnavailableStatefulSet');
  return defineResource<StatefulSetObject>({
    group: 'apps',
    plural: 'statefulsets',
    strategy: {
      generation: true,
      validateName: nameIsDnsLabel,
      defaults: (set) => defaultStatefulSet(set, defaultsMaxUnavailable),
      prepareForCreate(set, context) {
        set.status = { replicas: 0, availableReplicas: 0 };
        gateMaxUnavailable(set, undefined, context);
        dropDisabled(set, undefined, context);
      },
      prepareForUpdate(set, old, context) {
        gateMaxUnavailable(set, old, context);
        dropDisabled(set, old, context);
      },
      validate: (set, context) =>
        validateStatefulSetSpec(set.spec, templateOptions(set, undefined, context), {
          isUpdate: false,
          claimType: claimTypeOf(context),
          allowRecreate: context.features.enabled('StatefulSetRecreateStrategy'),
        }),
      validateUpdate: (set, old, context) =>
        validateStatefulSetUpdate(set.spec, old.spec, templateOptions(set, old, context), {
          claimType: claimTypeOf(context),
          isUpdate: true,
          allowRecreate: context.features.enabled('StatefulSetRecreateStrategy') || old.spec.updateStrategy.type === 'Recreate',
        }),
      warningsOnCreate: (set, context) => [...templateWarnings(set, context), ...claimWarnings(set, 'create'), ...historyWarnings(set)],
      warningsOnUpdate: (set, old, context) => [
        ...updateWarnings(set, old, context),
        ...claimWarnings(set, 'update'),
        ...historyWarnings(set),
      ],
    },
    status: { validateUpdate: ({ status }, old) => validateStatefulSetStatus(status, old.status) },
    scale: replicasScale(({ spec }) => selectorText(spec.selector)),
    columns: [
      {
        name: 'Ready',
        type: 'string',
        description: 'Number of the pod with ready state',
        cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      },
      ageColumn,
      ...containerColumns<StatefulSetObject>(({ spec }) => spec.template.spec.containers),
    ],
  });
}

/** Dropped where the feature is off and the stored set has none. */
function gateMaxUnavailable({ spec }: StatefulSetObject, old: StatefulSetObject | undefined, { features }: WriteContext): void {
  const { rollingUpdate } = spec.updateStrategy;
  if (rollingUpdate === undefined || features.enabled('MaxUnavailableStatefulSet')) return;
  if (old?.spec.updateStrategy.rollingUpdate?.maxUnavailable === undefined) delete rollingUpdate.maxUnavailable;
}

function claimTypeOf({ reader }: WriteContext): Type {
  return (typeAt(reader.resource('apps', 'statefulsets').storage.type, 'spec', 'volumeClaimTemplates') as ListType).element;
}

function claimWarnings({ spec }: StatefulSet, where: 'create' | 'update'): string[] {
  return (spec?.volumeClaimTemplates ?? []).flatMap((claim, index) => {
    const path = FieldPath.root('spec', 'volumeClaimTemplates').index(index);
    // A quirk kept: neither is the path of the field.
    return claimSpecWarnings(claim.spec ?? {}, where === 'create' ? path : path.child('Spec'));
  });
}

function historyWarnings({ spec }: StatefulSetObject): string[] {
  if ((spec.revisionHistoryLimit ?? 0) >= 0) return [];
  return ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'];
}
