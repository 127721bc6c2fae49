// Upstream: k8s.io/kubernetes/pkg/controller/storageversionmigrator/migrationrunner.go#finishCRDMigration, #markAsActive
import { timestamp } from '../../machinery/time.ts';
import type { CustomResourceDefinition } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const type = 'StorageMigrating';

interface Said {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** What is applied to the status of a CustomResourceDefinition when a migration of its objects begins and ends. */
export const definitionStatus = {
  running(definition: CustomResourceDefinition, migration: string, now: number): KubeObject {
    return applied(definition, { status: 'True', reason: 'MigrationRunning', message: `Migration ${migration} is running` }, now);
  },

  /** Of one that has not changed since the migration began, nothing is stored in another version than today's. */
  over(definition: CustomResourceDefinition, hasSucceeded: boolean, now: number): KubeObject {
    const { metadata, spec, status } = definition;
    const began = (status?.conditions ?? []).find((condition) => condition.type === type);
    const isSame = began !== undefined && began.observedGeneration === metadata.generation;
    const outcome = isSame
      ? ' and the stored versions have been updated'
      : ' but the stored versions have not been updated due to a generation mismatch';
    const said: Said = hasSucceeded
      ? { status: 'False', reason: 'MigrationSucceeded', message: `The migration has succeeded${outcome}` }
      : { status: 'False', reason: 'MigrationFailed', message: 'The migration has failed' };
    const stored = spec.versions?.find(({ storage }) => storage)?.name;
    return applied(definition, said, now, isSame && stored !== undefined ? { storedVersions: [stored] } : {});
  },
};

function applied({ metadata }: CustomResourceDefinition, said: Said, now: number, more: { storedVersions?: string[] } = {}): KubeObject {
  const { name = '', resourceVersion = '', generation } = metadata;
  const condition = {
    type,
    ...said,
    lastTransitionTime: timestamp(now),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, resourceVersion },
    status: { conditions: [condition], ...more },
  } as KubeObject;
}
