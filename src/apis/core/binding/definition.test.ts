import type { Step } from '../../../../test/support/kind-suite.ts';
import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/api/v1/namespaces/{ns}/bindings';
const pods = '/api/v1/namespaces/{ns}/pods';
const pod: readonly Step[] = [
  send('POST', '/api/v1/namespaces/{ns}/serviceaccounts?fieldManager=test', { metadata: { name: '{name}' } }),
  send('POST', pods, { metadata: { name: '{name}' }, spec: { serviceAccountName: '{name}', containers: [{ name: 'c', image: 'x' }] } }),
];
const bind = (target: object, metadata: object = {}): Step => send('POST', path, { metadata: { name: '{name}', ...metadata }, target });

describeKind('a Binding', {
  path,
  cases: [
    [
      'puts a pod on a node, which need not be there',
      [...pod, bind({ kind: 'Node', name: 'n' })],
      { status: 201, fields: { kind: 'Status', status: 'Success' } },
    ],
    [
      'leaves the pod scheduled',
      [...pod, bind({ name: 'n' }), send('GET', `${pods}/{name}`)],
      { fields: { spec: { nodeName: 'n' }, status: { conditions: [{ type: 'PodScheduled', status: 'True' }] } } },
    ],
    [
      'leaves its annotations and labels at the pod',
      [...pod, bind({ name: 'n' }, { annotations: { a: 'b' } }), send('GET', `${pods}/{name}`)],
      { fields: { metadata: { annotations: { a: 'b' } } } },
    ],
    [
      'does not move a pod',
      [...pod, bind({ name: 'n' }), bind({ name: 'm' })],
      { status: 409, message: 'Operation cannot be fulfilled on pods/binding "{name}": pod {name} is already assigned to node "n"' },
    ],
    ['needs a node', [...pod, bind({})], { status: 500, message: 'target.name: Required value' }],
    [
      'binds to nodes alone',
      [...pod, bind({ kind: 'Pod', name: 'n' })],
      { status: 500, message: 'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"' },
    ],
    ['binds a pod that is there', [bind({ name: 'n' })], { status: 404, message: 'pods "{name}" not found' }],
    [
      'is refused at the pod when it does not name the pod',
      [...pod, send('POST', `${pods}/{name}/binding`, { target: { name: 'n' } })],
      { status: 400, message: 'name in URL does not match name in Binding object' },
    ],
    ['is not kept', [send('GET', path)], { status: 405, message: 'the server does not allow this method on the requested resource' }],
  ],
});
