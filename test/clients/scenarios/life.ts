import type { ScriptedKind } from '../kinds.ts';
import { scriptedKinds } from '../kinds.ts';
import type { Scenario, Step } from '../step.ts';
import { step } from '../step.ts';

/** The whole life of one object of a kind, as a user of kubectl sees it. */
export function life({ kind, resource, manifest, name, namespaced, edit, patches }: ScriptedKind): Scenario {
  const scope = namespaced ? ' -n play' : '';
  const on = (line: string, more?: Omit<Step, 'args'>): Step => step(`${line}${scope}`, more);
  const one = `${resource}/${name}`;
  const [strategic, merge, json] = patches.map((patch) => JSON.stringify(patch));
  // The finalizer of such a deletion is for a controller that does not run here.
  const foreground = [
    on(`create -f ${manifest}`),
    on(`delete ${one} --cascade=foreground --wait=false`),
    on(`get ${one} -o yaml`),
    on(`patch ${one} --type=merge -p '{"metadata":{"finalizers":null}}'`),
  ];
  return {
    name: kind,
    steps: [
      on(`create -f ${manifest} --dry-run=server -o yaml`),
      on(`create -f ${manifest}`),
      on(`create -f ${manifest}`),
      on(`get ${one}`),
      on(`get ${one} -o wide --show-labels`),
      on(`get ${one} -o yaml --show-managed-fields`),
      on(`get ${one} -o json`),
      on(`get ${one} -o name`),
      on(`get ${one} -o jsonpath={.metadata.labels}`),
      on(`get ${resource} -l app=web,tier!=none`),
      on(`get ${resource} --field-selector metadata.name=${name}`),
      on(`get ${resource} --field-selector no.such=field`),
      on(`get ${resource} --chunk-size=1`),
      on(`get ${one} --subresource=status -o yaml`),
      on(`describe ${one}`),
      on(`get ${resource}/absent`),
      on(`label ${one} stage=test`),
      on(`label ${one} stage=prod`),
      on(`label ${one} stage=prod --overwrite`),
      on(`label ${one} 'bad key=x'`),
      on(`annotate ${one} note='some words' --resource-version=1`),
      on(`annotate ${one} note='some words'`),
      on(`annotate ${one} note-`),
      on(`patch ${one} --type=strategic -p '${strategic}'`),
      on(`patch ${one} --type=merge -p '${merge}' -o yaml`),
      on(`patch ${one} --type=json -p '${json}' -o yaml --show-managed-fields`),
      on(`patch ${one} --type=json -p '[{"op":"remove","path":"/no/such"}]'`),
      on(`patch ${one} --type=merge -p '{"metadata":{"name":"other"}}'`),
      on(`patch ${one} --type=merge -p '{"nonsense":1}'`),
      on(`get ${resource} --watch-only`, { meanwhile: [on(`label ${one} watched=yes`), on(`label ${one} watched-`)] }),
      on(`get ${one} -w -o name`, { meanwhile: [on(`annotate ${one} watched=yes`)] }),
      on(`edit ${one}`, { edit }),
      on(`edit ${one}`, { edit: ['apiVersion: ', 'apiVersion: '] }),
      on(`edit ${one} -o yaml`, { edit: ['labels:', 'labels:\n    edited: "yes"'] }),
      on(`wait --for=create ${one} --timeout=5s`),
      on(`wait --for=jsonpath={.metadata.name}=${name} ${one} --timeout=5s`),
      on(`wait --for=condition=Ready ${one} --timeout=1s`),
      on(`replace -f ${manifest}`),
      // A namespace that is being deleted waits for a controller that does not run here.
      ...(namespaced ? [on(`replace --force -f ${manifest}`)] : []),
      on(`get ${one} -o yaml --show-managed-fields`),
      on(`delete ${one} --cascade=orphan --wait=false`),
      on(`delete ${one} --ignore-not-found --wait=false`),
      on(`delete ${one} --wait=false`),
      on(`wait --for=delete ${one} --timeout=${namespaced ? 5 : 1}s`),
      ...(namespaced ? foreground : []),
      on(`get ${one} -o yaml --ignore-not-found`),
    ],
  };
}

export const lives: readonly Scenario[] = scriptedKinds.map(life);
