// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/legacytokentracking/controller.go
import type { ConfigMap } from '../../schema/types/core-v1.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';

const metadata = { name: 'kube-apiserver-legacy-service-account-token-tracking', namespace: 'kube-system' };
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Says since when the use of tokens kept in secrets is noted, so that the controller that removes unused ones knows how far back the record goes. */
export function legacyTokenTrackingHook(writer: ServerWriter, now: () => number): PostStartHook {
  return {
    name: 'start-legacy-token-tracking-controller',
    run: async () => {
      const since = new Date(now()).toISOString().slice(0, 'yyyy-mm-dd'.length);
      await writer.ensure('', 'configmaps', { metadata, data: { since } });
      await writer.change('', 'configmaps', metadata, (configMap: ConfigMap & KubeObject) => {
        if (!isDay(configMap.data?.['since'] ?? '')) configMap.data = { ...configMap.data, since };
      });
    },
  };
}

function isDay(text: string): boolean {
  return dayPattern.test(text) && !Number.isNaN(Date.parse(text));
}
