import type { ScriptedKind } from '../kinds.ts';
import { scriptedKinds } from '../kinds.ts';
import type { Scenario, Step } from '../step.ts';
import { step } from '../step.ts';

/** Apply from the client and on the server, each after the other, with the conflicts and what diff says. */
export function applied({ kind, resource, manifest, name, namespaced }: ScriptedKind): Scenario {
  const scope = namespaced ? ' -n play' : '';
  const on = (line: string, more?: Omit<Step, 'args'>): Step => step(`${line}${scope}`, more);
  const one = `${resource}/${name}`;
  return {
    name: `apply ${kind}`,
    steps: [
      on(`diff -f ${manifest}`),
      on(`apply -f ${manifest}`),
      on(`apply -f ${manifest}`),
      on(`get ${one} -o yaml --show-managed-fields`),
      on(`diff -f ${manifest}`),
      on(`label ${one} app=other --overwrite`),
      on(`diff -f ${manifest}`),
      on(`apply -f ${manifest} -o name`),
      on(`apply view-last-applied ${one}`),
      on(`label ${one} app=other --overwrite`),
      on(`apply --server-side -f ${manifest}`),
      on(`apply --server-side --force-conflicts -f ${manifest}`),
      on(`get ${one} -o yaml --show-managed-fields`),
      on(`apply --server-side --field-manager=second -f ${manifest}`),
      on(`diff --server-side -f ${manifest}`),
      on(`get ${one} -o json --show-managed-fields`),
      on(`delete -f ${manifest} --wait=false`),
      on(`apply --server-side --dry-run=server -f ${manifest} -o yaml`),
      on(`apply --server-side -f ${manifest}`),
      on(`get ${one} -o yaml --show-managed-fields`),
      on(`delete -f ${manifest} --cascade=background`),
    ],
  };
}

/** A namespace that is being deleted waits for a controller that does not run here: its life is tested elsewhere. */
export const applies: readonly Scenario[] = scriptedKinds.filter(({ kind }) => kind !== 'Namespace').map(applied);
