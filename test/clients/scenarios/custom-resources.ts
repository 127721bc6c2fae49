import { join } from 'node:path';
import { moduleFolder } from '../../../tools/go-module.ts';
import type { Project } from '../projects.ts';
import type { Scenario } from '../step.ts';
import { step } from '../step.ts';
import { applied } from './apply.ts';
import { life } from './life.ts';

/** A project's definitions arrive, its objects live like any others, and all of it goes away again. */
export async function customResources({ name, module, folder, group, kinds, fields, scaled }: Project): Promise<Scenario> {
  const definitions = join(await moduleFolder(module), folder);
  const resources = kinds.map(({ resource }) => resource);
  return {
    name,
    steps: [
      step(`apply -f ${definitions}`),
      step(`apply --server-side --force-conflicts -f ${definitions}`),
      step('wait --for=condition=Established crd --all --timeout=20s'),
      step('get crd'),
      // Not all of the status: upstream's controllers add their conditions in the order in which they get there.
      ...['metadata', 'spec', 'status.acceptedNames'].map((path) => step(`get crd -o jsonpath={.items[*].${path}} --show-managed-fields`)),
      ...resources.map((resource) => step(`get ${resource} -n play`, { eventually: true })),
      step(`api-resources --api-group=${group} -o wide`),
      ...[...resources, ...fields].map((field) => step(`explain ${field}`, { eventually: !field.includes('nonsense') })),
      ...kinds.flatMap((kind) => [...life(kind).steps, ...applied(kind).steps]),
      ...(scaled === undefined ? [] : scale(scaled, kinds.find(({ resource }) => scaled.startsWith(resource))?.manifest as string)),
      step(`delete -f ${definitions}`),
      step(`get ${resources[0]} -n play`),
    ],
  };
}

function scale(one: string, manifest: string): Scenario['steps'] {
  return [
    `create -f ${manifest}`,
    `scale ${one} --replicas=5`,
    `scale ${one} --replicas=1 --current-replicas=2`,
    `scale ${one} --replicas=-3`,
    `get ${one} --subresource=scale -o yaml`,
    `patch ${one} --subresource=scale --type=merge -p {"spec":{"replicas":7}}`,
    `get ${one} -o yaml --show-managed-fields`,
    `patch ${one} --subresource=status --type=merge -p {"status":{"replicas":7},"spec":{"replicas":1}}`,
    `get ${one} --subresource=scale`,
    `delete ${one}`,
  ].map((line) => step(`${line} -n play`));
}
