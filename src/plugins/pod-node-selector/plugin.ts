// Upstream: k8s.io/kubernetes/plugin/pkg/admission/podnodeselector/admission.go
import { ApiError, failure, forbidden, internalError } from '../../machinery/errors.ts';
import type { Labels } from '../../machinery/labels.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { areListed, conflict, readNodeLabels } from './node-labels.ts';

const pods = requestsFor<Pod>('', 'pods');
const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
/** the name under which the configuration has the selector of namespaces that have none */
const fallback = 'clusterDefaultNodeSelector';

type Selectors = Readonly<Record<string, string>>;

/** Pods go to nodes that their namespace chooses, and may choose among those that the cluster lists for the namespace. */
export const podNodeSelector = definePlugin({
  name: 'PodNodeSelector',
  enabledByDefault: false,
  create({ reader, configuration }) {
    const selectors = readConfiguration(configuration);
    const ofNamespace = async (namespace: string): Promise<Labels> => {
      const found = await reader.get<KubeObject>('', 'namespaces', '', namespace);
      // Kept for compatibility: 500, where others say 404.
      if (found === undefined) throw internalError(`namespace ${namespace} does not exist`);
      return readable(found.metadata.annotations?.[annotation] ?? selectors[fallback] ?? '');
    };
    const check = ({ object: { metadata, spec }, resource, namespace }: AttributesOf<Pod, 'CREATE'>, wanted: Labels): void => {
      const refusal = (reason: string): ApiError => forbidden(resource.groupResource, metadata.name ?? '', reason);
      const own = spec.nodeSelector ?? {};
      if (conflict(wanted, own)) throw refusal('pod node label selector conflicts with its namespace node label selector');
      if (!areListed(own, readable(selectors[namespace] ?? ''))) {
        throw refusal('pod node label selector labels conflict with its namespace whitelist');
      }
    };
    return admitting(pods.on(['CREATE']), {
      async mutate(attributes) {
        const wanted = await ofNamespace(attributes.namespace);
        const { spec } = attributes.object;
        if (Object.keys(wanted).length > 0) spec.nodeSelector = { ...wanted, ...spec.nodeSelector };
        check(attributes, wanted);
      },
      async validate(attributes) {
        check(attributes, await ofNamespace(attributes.namespace));
      },
    });
  },
});

/** Kept for compatibility: what cannot be read counts as nothing. */
function readConfiguration(configuration: unknown): Selectors {
  const { podNodeSelectorPluginConfig: selectors } = (configuration ?? {}) as { podNodeSelectorPluginConfig?: Selectors };
  return typeof selectors === 'object' && selectors !== null ? selectors : {};
}

/** A selector that cannot be read is not the fault of the client that creates a pod: 500. */
function readable(selector: string): Labels {
  try {
    return readNodeLabels(selector);
  } catch (error) {
    throw new ApiError(failure(500, '', (error as Error).message), { cause: error });
  }
}
