// Upstream: k8s.io/kubernetes/pkg/controller/storageversionmigrator/{migrationrunner,resourceversion,storageversionmigrator}.go
import { isReason } from '../../machinery/errors.ts';
import type { CustomResourceDefinition } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { metadataListForm } from '../common/client.ts';
import { defineController } from '../common/controller.ts';
import { pagesOf } from '../common/pages.ts';
import type { ServedResource } from '../common/served-resources.ts';
import { discover, preferred, resourcePath } from '../common/served-resources.ts';
import { RetryError, WorkQueue } from '../common/work-queue.ts';
import type { MigrationObject, Said } from './conditions.ts';
import { failedReason, isOver, isTrue, runningMessage, runningReason, succeededReason, withCondition } from './conditions.ts';
import { definitionStatus } from './definition-status.ts';

const path = '/apis/storagemigration.k8s.io/v1/storageversionmigrations';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const neededVerbs: readonly string[] = ['update', 'patch', 'list'];
/** a resource may be younger than what is known of resources here */
const discoveryMs = 60_000;
const fieldManager = 'storage-version-migrator-controller';
const runner = 'migration-runner-controller';
/** failures of the server that pass; what is left of a migration is tried again */
const passing = ['ServerTimeout', 'TooManyRequests', 'ServiceUnavailable', 'InternalError', 'Timeout'] as const;

/** Writes every object of a resource anew, so that the store has it in the version, and with the key, of today. One migration of a resource at a time. */
export const storageVersionMigrator = defineController({
  name: 'storage-version-migrator-controller',
  account: 'storage-version-migrator-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const migrations = informers.of<MigrationObject>(path);
    const queue = new WorkQueue<string>({ name: 'storage-version-migrator-controller', metrics, clock, log, process });
    /** the runner's: by resource */
    const resources = new WorkQueue<string>({ name: runner, metrics, clock, log, process: promote });
    using _migrations = migrations.subscribe({
      changed: (migration) => {
        queue.add(migration.metadata.name ?? '');
        resources.add(resourceKey(migration));
      },
      deleted: (migration) => resources.add(resourceKey(migration)),
    });
    await Promise.all([queue.run(signal, migrations.synced), resources.run(signal, migrations.synced)]);

    /** Starts the oldest migration of a resource when none runs, and ends those that are over. */
    async function promote(key: string): Promise<void> {
      const ofResource = [...migrations.values()].filter((migration) => resourceKey(migration) === key);
      for (const migration of ofResource.filter((one) => isTrue(one, 'Running') && isOver(one))) await end(migration);
      if (ofResource.some((one) => isTrue(one, 'Running') && !isOver(one))) return;
      const [next] = ofResource.filter((one) => !isTrue(one, 'Running') && !isOver(one)).toSorted(oldestFirst);
      if (next !== undefined) await begin(next);
    }

    async function begin(migration: MigrationObject): Promise<void> {
      await writeDefinition(migration, (definition) => definitionStatus.running(definition, migration.metadata.name ?? '', clock.now()));
      await say(migration, [{ type: 'Running', reason: runningReason, message: runningMessage() }]);
    }

    async function end(migration: MigrationObject): Promise<void> {
      const hasSucceeded = isTrue(migration, 'Succeeded');
      await writeDefinition(migration, (definition) => definitionStatus.over(definition, hasSucceeded, clock.now()));
      const { generation } = migration.metadata;
      const said = { type: 'Running', status: 'False', reason: 'MigrationCompleted', message: 'Migration completed' } as const;
      await say(migration, [{ ...said, ...(generation !== undefined && { observedGeneration: generation }) }]);
    }

    /** Of custom resources the definition says that its objects are being migrated. */
    async function writeDefinition({ spec }: MigrationObject, status: (definition: CustomResourceDefinition) => KubeObject): Promise<void> {
      const { group, resource } = spec.resource;
      try {
        const definition = (await client.get(`${definitions}/${resource}.${group}`)) as CustomResourceDefinition;
        await client.apply(`${definitions}/${resource}.${group}/status`, status(definition), runner);
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }

    async function process(name: string): Promise<void> {
      const migration = migrations.get('', name);
      if (migration === undefined || isOver(migration) || !isTrue(migration, 'Running')) return;
      const served = await servedBy(migration);
      if (typeof served === 'string') return fail(migration, served);
      const version = migration.status?.resourceVersion ?? '';
      if (version === '') return setVersion(migration, served);
      await migrate(migration, served, BigInt(version));
    }

    /** The resource as the server serves it, or why it cannot be migrated. */
    async function servedBy({ metadata, spec }: MigrationObject): Promise<ServedResource | string> {
      const { group, resource } = spec.resource;
      const served = preferred((await discover(client)).resources).find((one) => one.group === group && one.resource === resource);
      if (served === undefined) {
        const age = clock.now() - Date.parse(metadata.creationTimestamp ?? '');
        if (age < discoveryMs) throw new RetryError('the resource is not served, or not yet');
        return 'resource does not exist in discovery';
      }
      if (neededVerbs.every((verb) => served.verbs.includes(verb))) return served;
      const shown = `${served.group}/${served.version}, Resource=${served.resource}`;
      return `resource "${shown}" does not support discovery operations: [${neededVerbs.join(' ')}]`;
    }

    /** What is newer than this is stored as it should be. */
    async function setVersion(migration: MigrationObject, served: ServedResource): Promise<void> {
      const list = (await client.get(`${resourcePath(served)}?limit=1`, metadataListForm)) as { metadata: { resourceVersion: string } };
      await writeStatus(migration, { ...migration.status, resourceVersion: list.metadata.resourceVersion });
    }

    async function migrate(migration: MigrationObject, served: ServedResource, version: bigint): Promise<void> {
      const { group, kind } = served;
      const apiVersion = group === '' ? served.version : `${group}/${served.version}`;
      const candidates: KubeObject['metadata'][] = [];
      let total = 0;
      for await (const page of pagesOf(client, resourcePath(served), { accept: metadataListForm })) {
        total += page.length;
        for (const { metadata } of page) {
          const { namespace = '', name = '', resourceVersion = '' } = metadata;
          if (BigInt(resourceVersion) <= version) candidates.push({ namespace, name, resourceVersion });
        }
      }
      let left = candidates.length;
      for (const { namespace = '', name = '', resourceVersion } of candidates) {
        if (signal.aborted) return;
        try {
          const target = `${resourcePath(served, namespace, name)}?fieldManager=${fieldManager}`;
          await client.patch(target, { apiVersion, kind, metadata: { resourceVersion } });
        } catch (error) {
          // Another client has written it since, or deleted it: there is nothing to do.
          if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) return interrupted(migration, error, left, total);
        }
        left--;
      }
      await say(migration, [
        { type: 'Running', reason: runningReason, message: runningMessage(left, total) },
        { type: 'Succeeded', reason: succeededReason, message: 'Migration completed' },
      ]);
    }

    async function interrupted(migration: MigrationObject, error: unknown, left: number, total: number): Promise<void> {
      const message = error instanceof Error ? error.message : String(error);
      if (passing.some((reason) => isReason(error, reason))) {
        await say(migration, [{ type: 'Running', reason: runningReason, message: runningMessage(left, total, message) }]);
        throw error;
      }
      await say(migration, [
        { type: 'Running', reason: runningReason, message: runningMessage(left, total) },
        {
          type: 'Failed',
          reason: failedReason,
          message: `${left}/${total} not yet migrated. migration encountered unhandled error: ${message}`,
        },
      ]);
    }

    function fail(migration: MigrationObject, message: string): Promise<void> {
      return say(migration, [{ type: 'Failed', reason: failedReason, message }]);
    }

    async function say(migration: MigrationObject, said: readonly Said[]): Promise<void> {
      const conditions = said.reduce((known, one) => withCondition(known, one, clock.now()), migration.status?.conditions ?? []);
      await writeStatus(migration, { ...migration.status, conditions });
    }

    async function writeStatus(migration: MigrationObject, status: MigrationObject['status']): Promise<void> {
      await client.update(`${path}/${migration.metadata.name}/status`, { ...migration, status });
    }
  },
});

function resourceKey({ spec }: MigrationObject): string {
  return `${spec.resource.resource}.${spec.resource.group}`;
}

function oldestFirst(left: MigrationObject, right: MigrationObject): number {
  const key = ({ metadata }: MigrationObject): string => `${metadata.creationTimestamp} ${metadata.name}`;
  return key(left) < key(right) ? -1 : 1;
}
