import type { Scenario } from '../step.ts';
import { step } from '../step.ts';

/** What the controller would do, which does not run here: a ReplicaSet for each revision. */
function revision(number: number, image: string): string {
  return JSON.stringify({
    metadata: {
      annotations: { 'deployment.kubernetes.io/revision': String(number), 'kubernetes.io/change-cause': `image ${image}` },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'site', uid: '{uid}', controller: true }],
    },
  });
}

const rolledOut = JSON.stringify({
  status: {
    observedGeneration: 20,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    conditions: [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'enough' }],
  },
});

const lines: readonly string[] = [
  'create deployment site --image=example.com/site:1 --replicas=3 --port=80 --dry-run=server -o yaml',
  'create deployment site --image=example.com/site:1 --replicas=3 --port=80',
  'create deployment site --image=example.com/site:1',
  'create deployment Bad_Name --image=x',
  'get deployment site -o yaml --show-managed-fields',
  'describe deployment site',
  'scale deployment/site --replicas=5',
  'scale deployment/site --replicas=2 --current-replicas=9',
  'scale deployment/site --replicas=2 --current-replicas=5',
  'scale deployment/site --replicas=-1',
  'scale deployment/site --replicas=3 --resource-version=1',
  'get deployment site --subresource=scale',
  'get deployment site --subresource=scale -o yaml',
  'patch deployment site --subresource=scale --type=merge -p {"spec":{"replicas":3}}',
  'autoscale deployment/site --min=2 --max=5 --cpu=80%',
  'autoscale deployment/site --min=2 --max=5',
  'autoscale deployment/site --name=other --min=6 --max=5',
  'get horizontalpodautoscalers',
  'get horizontalpodautoscalers.v1.autoscaling site -o yaml',
  'get horizontalpodautoscalers site -o yaml --show-managed-fields',
  'describe horizontalpodautoscaler site',
  'expose deployment/site --port=80 --target-port=8080',
  'expose deployment/site --name=outside --type=NodePort --port=81',
  'expose deployment/site --port=0 --name=zero',
  'get services site outside -o yaml',
  'describe service site',
  'set image deployment/site site=example.com/site:2',
  'set image deployment/site *=example.com/site:3 -o yaml',
  'set image deployment/site absent=example.com/site:3',
  'set env deployment/site COLOR=blue',
  'set env deployment/site --list',
  'set resources deployment/site --limits=cpu=200m,memory=512Mi',
  'set serviceaccount deployment site builder',
  'set selector service site app=other',
  'rollout pause deployment/site',
  'rollout pause deployment/site',
  'rollout resume deployment/site',
  'rollout restart deployment/site',
  'rollout history deployment/site',
  'rollout status deployment/site --timeout=1s',
  `patch deployment site --subresource=status --type=merge -p ${rolledOut}`,
  'rollout status deployment/site --timeout=5s',
  'wait --for=condition=Available deployment/site --timeout=5s',
];

const replicaSet = (number: number): string => `replicaset/site-${number}`;

const undo: readonly string[] = [
  ...[1, 2].flatMap((number) => [
    `create -f replica-set-${number}.yaml`,
    `patch ${replicaSet(number)} --type=merge -p '${revision(number, `example.com/site:${number}`)}'`,
  ]),
  'get replicasets -o wide',
  'describe replicaset site-1',
  'rollout history deployment/site',
  'rollout history deployment/site --revision=1',
  'rollout history deployment/site --revision=7',
  'rollout undo deployment/site --to-revision=7',
  'rollout undo deployment/site --to-revision=1 --dry-run=server',
  'rollout undo deployment/site --to-revision=1',
  'rollout undo deployment/site --to-revision=1',
  'get deployment site -o yaml --show-managed-fields',
  'scale replicaset/site-1 replicaset/site-2 --replicas=2',
  'delete deployment site --cascade=orphan --wait=false',
  'get deployment site -o yaml',
  'patch deployment site --type=merge -p {"metadata":{"finalizers":null}}',
  'delete replicasets --all',
  'delete horizontalpodautoscaler site',
  'delete service site outside',
];

/** A deployment as a user of kubectl runs it, its revisions made by hand. */
export const rollout: Scenario = {
  name: 'rollout',
  steps: [
    ...lines.map((line) => step(`${line} -n play`)),
    step('get deployment site -o jsonpath={.metadata.uid} -n play', { keep: 'uid' }),
    ...undo.map((line) => step(`${line} -n play`)),
  ],
};
