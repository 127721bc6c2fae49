// Upstream: k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction/admission.go
import { append } from '../../machinery/append.ts';
import { qosClassOf } from '../../apis/common/pod-spec/qos.ts';
import { readDocument } from '../../machinery/codec/json/document.ts';
import { ApiError, failure } from '../../machinery/errors.ts';
import type { Pod, Toleration } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import { areListed, mergeTolerations } from '../common/tolerations.ts';
import { readConfiguration } from './configuration.ts';

const defaultsKey = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const listKey = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const memoryPressure: Toleration = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };

/** Pods tolerate what their namespace wants them to, and nothing that it does not list. */
export const podTolerationRestriction = definePlugin({
  name: 'PodTolerationRestriction',
  enabledByDefault: false,
  create({ reader, configuration, features }) {
    const forAll = readConfiguration(configuration);
    const ofNamespace = async (namespace: string, key: string): Promise<Toleration[] | undefined> => {
      const { metadata } = await reader.require('', 'namespaces', '', namespace);
      return readTolerations(metadata.annotations?.[key]);
    };
    const validate = async ({ object, namespace }: AttributesOf<Pod, 'CREATE' | 'UPDATE'>): Promise<void> => {
      const { tolerations = [] } = object.spec;
      if (tolerations.length === 0) return;
      const own = await ofNamespace(namespace, listKey);
      if (areListed(tolerations, own ?? forAll.whitelist)) return;
      const scope = own === undefined ? 'cluster' : 'namespace';
      throw unreasoned(`pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`);
    };
    return admitting(requestsFor<Pod>('', 'pods').on(['CREATE', 'UPDATE']), {
      async mutate(attributes) {
        const { operation, object, namespace } = attributes;
        const { spec, status } = object;
        const added: Toleration[] = [];
        if (operation === 'CREATE') append(added, (await ofNamespace(namespace, defaultsKey)) ?? forAll.default);
        if ((status?.qosClass || qosClassOf(spec, features)) !== 'BestEffort') added.push(memoryPressure);
        if (added.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], added);
        await validate(attributes);
      },
      validate,
    });
  },
});

/** What a namespace says in an annotation; undefined when it says nothing. */
function readTolerations(text: string | undefined): Toleration[] | undefined {
  if (text === undefined) return undefined;
  if (text === '') return [];
  const read = readJson(text);
  if (read === null || Array.isArray(read)) return read ?? [];
  throw unreasoned(`json: cannot unmarshal ${typeof read === 'boolean' ? 'bool' : typeof read} into Go value of type []v1.Toleration`);
}

function readJson(text: string): unknown {
  try {
    return readDocument(text).take();
  } catch (error) {
    throw unreasoned((error as Error).message);
  }
}

/** Kept for compatibility: upstream returns a bare error, which is a 500 without a reason. */
function unreasoned(message: string): ApiError {
  return new ApiError(failure(500, '', message));
}
