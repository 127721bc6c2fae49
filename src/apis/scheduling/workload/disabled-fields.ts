// Upstream: k8s.io/kubernetes/pkg/registry/scheduling/workload/strategy.go#dropDisabledWorkloadFields
import type { CompositePodGroupTemplate, PodGroupTemplate, WorkloadSpec } from '../../../schema/types/scheduling-v1beta1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';

/** What a workload and a composite template have in common. */
type Parent = Partial<Pick<WorkloadSpec, 'podGroupTemplates' | 'compositePodGroupTemplates'>>;

export function dropDisabledFields(spec: WorkloadSpec, old: WorkloadSpec | undefined, features: FeatureGates): void {
  dropFromChildren(spec, old, features);
}

function dropFromChildren(parent: Parent, old: Parent | undefined, features: FeatureGates): void {
  // templates are compared by their places, composite ones by their names, as in upstream
  parent.podGroupTemplates?.forEach((template, index) => dropFromTemplate(template, old?.podGroupTemplates?.[index], features));
  const before = old?.compositePodGroupTemplates ?? [];
  if (!features.enabled('CompositePodGroup') && before.length === 0) delete parent.compositePodGroupTemplates;
  for (const template of parent.compositePodGroupTemplates ?? []) {
    dropFromComposite(
      template,
      before.findLast(({ name }) => name === template.name),
      features,
    );
  }
}

function dropFromComposite(template: CompositePodGroupTemplate, old: CompositePodGroupTemplate | undefined, features: FeatureGates): void {
  if (!features.enabled('PodGroupPreemptionPolicy') && old?.preemptionPolicy === undefined) delete template.preemptionPolicy;
  dropFromChildren(template, old, features);
}

function dropFromTemplate(template: PodGroupTemplate, old: PodGroupTemplate | undefined, features: FeatureGates): void {
  if (!features.enabled('TopologyAwareWorkloadScheduling') && !old?.schedulingConstraints) template.schedulingConstraints = null;
  if (!features.enabled('DRAWorkloadResourceClaims') && !old?.resourceClaims?.length) delete template.resourceClaims;
  if (!features.enabled('PodGroupPreemptionPolicy') && old?.preemptionPolicy === undefined) delete template.preemptionPolicy;
}
