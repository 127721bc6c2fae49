import type { Scenario } from '../step.ts';
import { step } from '../step.ts';

const names = Array.from({ length: 7 }, (_, index) => `many-${index}`);

/** Lists in pieces, several at once, and deletes that leave something behind. */
export const many: Scenario = {
  name: 'many objects',
  steps: [
    ...names.map((name) => step(`create configmap ${name} --from-literal=a=1 -n play`)),
    step('label configmaps --all batch=one -n play'),
    step('get configmaps --chunk-size=2 -l batch=one -n play'),
    step('get configmaps --chunk-size=3 -n play -o name'),
    step('get configmaps,secrets -n play -o wide'),
    step('get configmaps -A --field-selector metadata.namespace=play --no-headers'),
    step('get configmaps -n play --sort-by=.metadata.name -o custom-columns=NAME:.metadata.name,DATA:.data'),
    step('get all -n play'),
    step('create secret generic token --from-literal=a=b -n play'),
    step('create service clusterip plain --tcp=80:8080 -n play'),
    step('create deployment quick --image=example.com/quick --replicas=3 -n play'),
    step('scale deployment/quick --replicas=1 -n play'),
    step('scale deployment/quick --replicas=4 --current-replicas=2 -n play'),
    step('set image deployment/quick quick=example.com/quick:2 -n play'),
    step('rollout pause deployment/quick -n play'),
    step('autoscale deployment/quick --max=5 -n play'),
    step('expose deployment/quick --port=80 -n play'),
    step('get deployments,services -n play -o yaml'),
    step('wait --for=condition=Available deployment/quick --timeout=1s -n play'),
    step('delete deployment quick --cascade=foreground --wait=false -n play'),
    step('get deployment quick -n play -o yaml'),
    step('delete configmap many-0 many-1 absent -n play'),
    step('delete configmaps -l batch=one -n play', { unordered: true }),
    step('delete configmaps --all -n play --dry-run=server', { unordered: true }),
    step('delete service --all -n play', { unordered: true }),
    step('delete namespace nowhere'),
  ],
};
