// Upstream: k8s.io/kubernetes/pkg/controller/serviceaccount/serviceaccounts_controller.go
import { hasCause, isReason } from '../../machinery/errors.ts';
import type { Namespace } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { WorkQueue } from '../common/work-queue.ts';

const account = 'default';

/** Gives every namespace its default service account, again after a deletion. */
export const serviceAccounts = defineController({
  name: 'serviceaccount-controller',
  account: 'service-account-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const namespaces = informers.of<Namespace & KubeObject>('/api/v1/namespaces');
    const accounts = informers.ownership('/api/v1/serviceaccounts');
    const queue = new WorkQueue<string>({
      name: 'serviceaccount',
      metrics,
      clock,
      log,
      async process(namespace) {
        if (namespaces.get('', namespace)?.status?.phase !== 'Active' || accounts.get(namespace, account) !== undefined) return;
        try {
          await client.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
            apiVersion: 'v1',
            kind: 'ServiceAccount',
            metadata: { name: account, namespace },
          });
        } catch (error) {
          if (!isReason(error, 'AlreadyExists') && !hasCause(error, 'NamespaceTerminating')) throw error;
        }
      },
    });
    using _namespaces = namespaces.subscribe({ changed: ({ metadata }) => queue.add(metadata.name as string) });
    using _accounts = accounts.subscribe({ deleted: ({ metadata }) => queue.add(metadata.namespace as string) });
    await queue.run(signal, namespaces.synced, accounts.synced);
  },
});
