import { scriptedKinds } from '../kinds.ts';
import type { Scenario } from '../step.ts';
import { step } from '../step.ts';

/** What kubectl learns about the server and its types. */
export const discover: Scenario = {
  name: 'discovery',
  steps: [
    step('version'),
    step('api-versions'),
    step('api-resources'),
    step('api-resources -o wide'),
    step('api-resources --namespaced=false --verbs=list,watch -o name'),
    step('api-resources --api-group=apps'),
    ...scriptedKinds.flatMap(({ resource }) => [step(`explain ${resource}`), step(`explain ${resource} --recursive`)]),
    step('explain pods.spec.containers.resources'),
    step('explain deployments.spec.strategy.rollingUpdate.maxSurge'),
    step('explain services.spec.ports --output=plaintext-openapiv2'),
    step('explain pods.spec.nonsense'),
    step('explain nonsense'),
    step('get nonsense'),
    step('auth can-i create pods'),
    step('auth can-i --list --as=nobody'),
    step('auth whoami -o yaml'),
    step('get --raw /healthz'),
    step('get --raw /apis/apps/v1'),
    step('get --raw /no/such/path'),
  ],
};
