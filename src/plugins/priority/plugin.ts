// Upstream: k8s.io/kubernetes/plugin/pkg/admission/priority/admission.go
import type { PodSpec } from '../../schema/types/core-v1.ts';
import type { PriorityClass } from '../../schema/types/scheduling-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { isForResource } from '../common/request-matching.ts';

type PriorityClassObject = PriorityClass & KubeObject;
type Prioritized = Pick<PodSpec, 'priority' | 'priorityClassName' | 'preemptionPolicy'>;

const group = 'scheduling.k8s.io';
/** priority of pods without a class in a cluster without a default */
const noPriority = 0;

/** Kinds with a priority of their own besides pods, the feature that switches them, and how messages call them. */
const groups: readonly { plural: string; feature: string; noun: string }[] = [
  { plural: 'podgroups', feature: 'GenericWorkload', noun: 'pod group' },
  { plural: 'compositepodgroups', feature: 'CompositePodGroup', noun: 'composite pod group' },
];

const isClass = requestsFor<PriorityClass>(group, 'priorityclasses').on(['CREATE', 'UPDATE']);

/** Turns names of priority classes into numbers, which only classes may give. */
export const priority = definePlugin({
  name: 'Priority',
  enabledByDefault: true,
  create: ({ reader, features }) => ({
    handles: (attributes) =>
      attributes.operation !== 'CONNECT' &&
      attributes.operation !== 'DELETE' &&
      (isForResource(attributes, '', 'pods') || (attributes.resource.group === group && attributes.subresource === '')),
    async mutate(attributes) {
      const spec = attributes.object?.['spec'] as Prioritized;
      if (isForResource(attributes, '', 'pods')) {
        if (attributes.operation === 'UPDATE') keepPriority(spec, attributes.old?.['spec'] as Prioritized);
        else await resolvePod(attributes, spec, reader);
        return;
      }
      const kind = groups.find(({ plural }) => plural === attributes.resource.names.plural);
      if (kind === undefined || attributes.operation !== 'CREATE' || !features.enabled(kind.feature)) return;
      await resolveGroup(attributes, spec, kind.noun, reader, features.enabled('PodGroupPreemptionPolicy'));
    },
    async validate(attributes) {
      if (!isClass(attributes)) return;
      const { globalDefault, metadata } = attributes.object;
      if (globalDefault !== true) return;
      const current = await defaultClass(reader);
      if (current === undefined || (attributes.operation === 'UPDATE' && current.metadata.name === metadata.name)) return;
      throw forbid(attributes, `PriorityClass ${current.metadata.name} is already marked as default. Only one default can exist`);
    },
  }),
});

function keepPriority(spec: Prioritized, old: Prioritized): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}

async function resolvePod(attributes: AdmissionAttributes, spec: Prioritized, reader: ObjectReader): Promise<void> {
  const { name, value, preemptionPolicy } = await established(attributes, spec, reader);
  if (name !== '') spec.priorityClassName = name;
  if (spec.priority !== undefined && spec.priority !== value) {
    throw forbid(
      attributes,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  if (preemptionPolicy === undefined) return;
  checkPolicy(attributes, spec, preemptionPolicy, 'pod');
  spec.preemptionPolicy = preemptionPolicy;
}

async function resolveGroup(
  attributes: AdmissionAttributes,
  spec: Prioritized,
  noun: string,
  reader: ObjectReader,
  withPolicy: boolean,
): Promise<void> {
  const { name, value, preemptionPolicy } = await established(attributes, spec, reader);
  if (spec.priority !== undefined && spec.priority !== value) {
    throw forbid(
      attributes,
      `priority set in the ${noun} (${spec.priority}) must match the priority computed (${value}) based on the priority class set in the spec`,
    );
  }
  spec.priority = value;
  if (name !== '') spec.priorityClassName = name;
  if (!withPolicy || preemptionPolicy === undefined) return;
  checkPolicy(attributes, spec, preemptionPolicy, noun);
  spec.preemptionPolicy = preemptionPolicy;
}

function checkPolicy(attributes: AdmissionAttributes, spec: Prioritized, computed: string, noun: string): void {
  if (spec.preemptionPolicy === undefined || spec.preemptionPolicy === computed) return;
  throw forbid(
    attributes,
    `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in ${noun} spec; priority admission controller computed ${computed} from the given PriorityClass name`,
  );
}

async function established(
  attributes: AdmissionAttributes,
  { priorityClassName }: Prioritized,
  reader: ObjectReader,
): Promise<{ name: string; value: number; preemptionPolicy: string | undefined }> {
  if (priorityClassName) {
    const named = await reader.get<PriorityClassObject>(group, 'priorityclasses', '', priorityClassName);
    if (named === undefined) throw forbid(attributes, `no PriorityClass with name ${priorityClassName} was found`);
    return { name: priorityClassName, value: named.value, preemptionPolicy: named.preemptionPolicy };
  }
  const standard = await defaultClass(reader);
  if (standard === undefined) return { name: '', value: noPriority, preemptionPolicy: 'PreemptLowerPriority' };
  return { name: standard.metadata.name ?? '', value: standard.value, preemptionPolicy: standard.preemptionPolicy };
}

/** Two defaults can come to be at the same moment; then the lower one counts. */
async function defaultClass(reader: ObjectReader): Promise<PriorityClassObject | undefined> {
  let found: PriorityClassObject | undefined;
  for (const one of await reader.listShared<PriorityClassObject>(group, 'priorityclasses', '')) {
    if (one.globalDefault === true && (found === undefined || found.value > one.value)) found = one;
  }
  return found;
}
