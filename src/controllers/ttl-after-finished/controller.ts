// Upstream: k8s.io/kubernetes/pkg/controller/ttlafterfinished/ttlafterfinished_controller.go
import { isReason } from '../../machinery/errors.ts';
import type { Job } from '../../schema/types/batch-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';

type JobObject = Job & KubeObject;

/** Deletes jobs some time after they have finished, where they say so. */
export const ttlAfterFinished = defineController({
  name: 'ttl-after-finished-controller',
  account: 'ttl-after-finished-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const jobs = informers.of<JobObject>('/apis/batch/v1/jobs');
    const leftMs = (job: JobObject): number | undefined => {
      const expiry = expiryOf(job);
      return expiry === undefined ? undefined : expiry - clock.now();
    };
    const queue = new WorkQueue<string>({
      name: 'ttl_jobs_to_delete',
      metrics,
      clock,
      log,
      async process(key) {
        const [namespace = '', name = ''] = key.split('/');
        const known = jobs.get(namespace, name);
        if (known === undefined) return;
        requireExpired(leftMs(known));
        const path = `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`;
        try {
          const fresh = (await client.get(path)) as JobObject;
          const left = leftMs(fresh);
          if (left === undefined) return;
          requireExpired(left);
          const { uid = '' } = fresh.metadata;
          await client.delete(path, { propagationPolicy: 'Foreground', preconditions: { uid } });
        } catch (error) {
          if (!isReason(error, 'NotFound')) throw error;
        }
      },
    });
    using _jobs = jobs.subscribe({
      changed: (job) => {
        if (expiryOf(job) !== undefined) queue.add(`${job.metadata.namespace}/${job.metadata.name}`);
      },
    });
    await queue.run(signal, jobs.synced);
  },
});

function requireExpired(leftMs: number | undefined): void {
  if (leftMs !== undefined && leftMs > 0) throw new RetryError('not yet', leftMs);
}

/** undefined: the job is not finished, is being deleted, or stays. */
function expiryOf({ metadata, spec, status }: JobObject): number | undefined {
  const { ttlSecondsAfterFinished: ttl } = spec;
  const finished = (status.conditions ?? []).find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
  if (ttl === undefined || finished === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  return Date.parse(finished.lastTransitionTime ?? '') + ttl * 1000;
}
