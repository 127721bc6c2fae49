// Upstream: k8s.io/kubernetes/plugin/pkg/admission/runtimeclass/admission.go
import type { Pod, PodSpec } from '../../schema/types/core-v1.ts';
import type { RuntimeClass, Scheduling } from '../../schema/types/node-v1.ts';
import { Quantity } from '../../machinery/quantity.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { mergeTolerations } from '../common/tolerations.ts';

type RuntimeClassObject = RuntimeClass & KubeObject;
type Amounts = Readonly<Record<string, string>>;

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** A pod that names a runtime gets the runtime's overhead and goes where that runtime is. */
export const runtimeClass = definePlugin({
  name: 'RuntimeClass',
  enabledByDefault: true,
  create({ reader }) {
    const classOf = async (attributes: AdmissionAttributes, { runtimeClassName }: PodSpec): Promise<RuntimeClassObject | undefined> => {
      if (runtimeClassName === undefined) return undefined;
      const found = await reader.get<RuntimeClassObject>('node.k8s.io', 'runtimeclasses', '', runtimeClassName);
      if (found === undefined) throw forbid(attributes, `pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`);
      return found;
    };
    return admitting(requestsFor<Pod>('', 'pods').on(['CREATE']), {
      async mutate(attributes) {
        const { spec } = attributes.object;
        const found = await classOf(attributes, spec);
        const overhead = found?.overhead?.podFixed;
        if (found?.overhead !== undefined) {
          if (Object.keys(spec.overhead ?? {}).length > 0 && !sameAmounts(overhead, spec.overhead)) throw forbid(attributes, mismatch);
          if (overhead !== undefined) spec.overhead = { ...overhead };
        }
        if (found?.scheduling !== undefined) schedule(attributes, spec, found.scheduling);
      },
      async validate(attributes) {
        const { spec } = attributes.object;
        const found = await classOf(attributes, spec);
        if (found?.overhead !== undefined) {
          if (!sameAmounts(found.overhead.podFixed, spec.overhead)) throw forbid(attributes, mismatch);
        } else if (spec.overhead !== undefined) {
          throw forbid(attributes, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
        }
      },
    });
  },
});

function schedule(attributes: AdmissionAttributes, spec: PodSpec, { nodeSelector, tolerations }: Scheduling): void {
  for (const [key, value] of Object.entries(nodeSelector ?? {})) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      throw forbid(attributes, `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`);
    }
  }
  if (nodeSelector !== undefined) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  const merged = mergeTolerations(spec.tolerations ?? [], tolerations ?? []);
  if (merged.length > 0) spec.tolerations = merged;
}

function sameAmounts(left: Amounts = {}, right: Amounts = {}): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => right[name] !== undefined && Quantity.parse(left[name] as string).equals(Quantity.parse(right[name])))
  );
}
