// Upstream: k8s.io/kubernetes/pkg/apis/node/validation/validation.go
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, required } from '../../../machinery/field.ts';
import { nameIsDnsLabel, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { validateImmutable, validateLabels, validateObjectMeta } from '../../../machinery/object-meta-validation.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import type { Toleration } from '../../../schema/types/core-v1.ts';
import type { RuntimeClass, Scheduling } from '../../../schema/types/node-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { ClaimNames, validateContainerResources } from '../../common/pod-spec/resources.ts';
import { validateTolerations } from '../../common/pod-spec/tolerations.ts';

export type RuntimeClassObject = RuntimeClass & KubeObject;

const handlerPath = Path.root('handler');

export const validateOwnMetadata = (metadata: ObjectMeta): FieldError[] =>
  validateObjectMeta(metadata, false, nameIsDnsSubdomain, Path.root('metadata'));

export function validate({ handler, overhead, scheduling }: RuntimeClassObject): FieldError[] {
  const errors =
    handler === ''
      ? [required(handlerPath, '')]
      : nameIsDnsLabel(handler, false).map((problem) => invalid(handlerPath, handler, problem).withOrigin('format=k8s-short-name'));
  if (overhead !== undefined) {
    // judged as the limits of a container, also in the path
    const limits = overhead.podFixed ?? {};
    append(
      errors,
      validateContainerResources({ limits }, new ClaimNames(), Path.root('overhead'), { allowIndivisibleHugePagesValues: false }),
    );
  }
  if (scheduling !== undefined) append(errors, validateScheduling(scheduling, Path.root('scheduling')));
  return errors;
}

export function validateUpdate(runtimeClass: RuntimeClassObject, old: RuntimeClassObject): FieldError[] {
  return [
    ...validateOwnMetadata(runtimeClass.metadata),
    ...validate(runtimeClass),
    ...validateImmutable(runtimeClass.handler, old.handler, handlerPath).map((error) => error.withOrigin('immutable')),
  ];
}

function validateScheduling({ nodeSelector, tolerations = [] }: Scheduling, path: FieldPath): FieldError[] {
  const tolerationsPath = path.child('tolerations');
  const seen = new Set<string>();
  return [
    ...validateLabels(nodeSelector, path.child('nodeSelector')),
    ...validateTolerations(tolerations, tolerationsPath, { allowTaintTolerationComparisonOperators: false }),
    ...tolerations.flatMap((toleration, index) => {
      const { key = '', operator = '', value = '', effect = '' } = toleration;
      const identity = JSON.stringify([key, operator, value, effect]);
      const errors = seen.has(identity) ? [duplicate(tolerationsPath.index(index), internalToleration(toleration))] : [];
      seen.add(identity);
      return errors;
    }),
  ];
}

/** As upstream prints its own type, which has no JSON names. */
function internalToleration({
  key = '',
  operator = '',
  value = '',
  effect = '',
  tolerationSeconds = null,
}: Omit<Toleration, 'tolerationSeconds'> & { tolerationSeconds?: Toleration['tolerationSeconds'] | null }): object {
  return { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds };
}
