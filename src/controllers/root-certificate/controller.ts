// Upstream: k8s.io/kubernetes/pkg/controller/certificates/rootcacertpublisher/publisher.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import { hasCause, isReason } from '../../machinery/errors.ts';
import type { ConfigMap, Namespace } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Controller } from '../common/controller.ts';
import { defineController } from '../common/controller.ts';
import { WorkQueue } from '../common/work-queue.ts';

const name = 'kube-root-ca.crt';
const descriptionAnnotation = 'kubernetes.io/description';
// What clients of upstream find in the annotation.
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

type ConfigMapObject = ConfigMap & KubeObject;

/** Tells every namespace, in a config map, which authority the server's certificate is from. */
export function rootCertificatePublisher(authority: string): Controller {
  const data = { 'ca.crt': authority };
  return defineController({
    name: 'root-ca-certificate-publisher-controller',
    account: 'root-ca-cert-publisher',
    async run({ client, informers, clock, log, metrics, signal }) {
      const namespaces = informers.of<Namespace & KubeObject>('/api/v1/namespaces');
      const configMaps = informers.of<ConfigMapObject>(`/api/v1/configmaps?fieldSelector=metadata.name%3D${name}`);
      const publish = async (namespace: string): Promise<void> => {
        const path = `/api/v1/namespaces/${namespace}/configmaps`;
        const known = configMaps.get(namespace, name);
        const annotations = { ...known?.metadata.annotations, [descriptionAnnotation]: description };
        if (known === undefined) {
          await client.create(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations }, data });
        } else if (!deepEqual(known.data, data) || !known.metadata.annotations?.[descriptionAnnotation]) {
          const metadata = { ...known.metadata, annotations };
          await client.update(`${path}/${name}`, { ...known, apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
        }
      };
      const queue = new WorkQueue<string>({
        name: 'root_ca_cert_publisher',
        metrics,
        clock,
        log,
        async process(namespace) {
          try {
            await publish(namespace);
          } catch (error) {
            // The namespace is gone or about to be, or another writer was first, whose object the informer will deliver.
            const expected = isReason(error, 'NotFound') || isReason(error, 'AlreadyExists') || hasCause(error, 'NamespaceTerminating');
            if (!expected) throw error;
          }
        },
      });
      using _namespaces = namespaces.subscribe({
        changed({ metadata, status }) {
          if (status?.phase === 'Active') queue.add(metadata.name as string);
        },
      });
      const again = ({ metadata }: KubeObject): void => queue.add(metadata.namespace as string);
      using _configMaps = configMaps.subscribe({ changed: again, deleted: again });
      await queue.run(signal, namespaces.synced, configMaps.synced);
    },
  });
}
