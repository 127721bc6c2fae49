// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/storage/storage.go#BindingREST, k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodBinding
import { append } from '../../../machinery/append.ts';
import { badRequest, conflict, notFound } from '../../../machinery/errors.ts';
import { FieldPath, aggregateMessage, invalid, notSupported, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { Binding, Pod } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { dropInitContainerAnnotations } from './disabled-fields.ts';
import { setPodCondition } from '../pod-conditions.ts';

const bindingResource = { group: '', resource: 'pods/binding' };

/** Assigns a pod to a node, as a scheduler asks. The write goes past the rules of pods and past the tracking of fields. */
export async function bindPod(name: string, body: KubeObject, context: WriteContext): Promise<KubeObject> {
  const binding = body as unknown as Binding;
  if ((binding.metadata.name ?? '') !== name) throw badRequest('name in URL does not match name in Binding object');
  const errors = validateBinding(binding);
  // Returned as a fault of the server without a reason: upstream loses the kind of the error here.
  if (errors.length > 0) throw new Error(aggregateMessage(errors));
  const { store, groupResource } = context.reader.resource('', 'pods');
  for (;;) {
    const entry = await store.getCurrent(context.namespace, name);
    if (entry === undefined) throw notFound(groupResource, name);
    const pod = store.parse(entry);
    const problem = assign(pod as unknown as Pod, binding, context.features, context.now);
    if (problem !== undefined) throw conflict(bindingResource, name, problem);
    const stored = await store.put(entry.key, pod, entry.revision, context.dryRun);
    if (stored !== undefined) return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  }
}

function validateBinding({ target }: Binding): FieldError[] {
  const { kind = '', name = '' } = target ?? {};
  const errors: FieldError[] = [];
  const at = FieldPath.root('target');
  if (kind !== '' && kind !== 'Node') errors.push(notSupported(at.child('kind'), kind, ['Node', '<empty>']));
  if (name === '') errors.push(required(at.child('name'), ''));
  else if (kind === '' || kind === 'Node') {
    append(
      errors,
      nameIsDnsSubdomain(name, false).map((problem) => invalid(at.child('name'), name, problem)),
    );
  }
  return errors;
}

/** Changes the pod; says why when it cannot be assigned. */
function assign(pod: Pod, { metadata, target }: Binding, features: FeatureGates, now: string): string | undefined {
  const { spec, metadata: own } = pod;
  if (metadata.uid && metadata.uid !== own.uid) {
    return precondition(own, `UID in precondition: ${metadata.uid}, UID in object meta: ${own.uid ?? ''}`);
  }
  if (metadata.resourceVersion && metadata.resourceVersion !== own.resourceVersion) {
    const stored = own.resourceVersion ?? '';
    return precondition(own, `ResourceVersion in precondition: ${metadata.resourceVersion}, ResourceVersion in object meta: ${stored}`);
  }
  if (own.deletionTimestamp !== undefined) return `pod ${own.name} is being deleted, cannot be assigned to a host`;
  if (spec.nodeName) return `pod ${own.name} is already assigned to node ${goQuote(spec.nodeName)}`;
  if (spec.schedulingGates?.length) return `pod ${own.name} has non-empty .spec.schedulingGates`;
  spec.nodeName = target.name as string;
  if (features.enabled('ClearingNominatedNodeNameAfterBinding')) delete pod.status.nominatedNodeName;
  const annotations = { ...own.annotations, ...metadata.annotations };
  dropInitContainerAnnotations(annotations);
  if (Object.keys(annotations).length > 0) own.annotations = annotations;
  if (features.enabled('PodTopologyLabelsAdmission') && metadata.labels !== undefined) own.labels = { ...own.labels, ...metadata.labels };
  setPodCondition(pod.status, { type: 'PodScheduled', status: 'True' }, now);
  return undefined;
}

function precondition({ namespace, name }: Pod['metadata'], text: string): string {
  const key = `/pods/${namespace}/${name}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${text}`;
}
