import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt } from '../../../table/table-clock.ts';
import type { ContainerStatus, PodSpec, PodStatus } from '../../../schema/types/core-v1.ts';
import { podColumns, podRowConditions } from './columns.ts';
import type { PodObject } from './pod-object.ts';

const spec: PodSpec = {
  containers: [{ name: 'main', resources: {} }],
  initContainers: [
    { name: 'init', resources: {} },
    { name: 'side', resources: {}, restartPolicy: 'Always' },
  ],
};

function status(name: string, more: Partial<ContainerStatus>): ContainerStatus {
  return { name, ready: false, restartCount: 0, image: '', imageID: '', state: {}, lastState: {}, ...more };
}

const started = status('init', { state: { terminated: { exitCode: 0 } as never } });
const cases: readonly (readonly [name: string, status: PodStatus, cells: readonly string[]])[] = [
  ['a new pod', { phase: 'Pending' }, ['0/2', 'Pending', '0']],
  [
    'gates',
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' } as never] },
    ['0/2', 'SchedulingGated', '0'],
  ],
  [
    'init containers at work',
    { phase: 'Pending', initContainerStatuses: [status('init', { state: { running: {} as never } })] },
    ['0/2', 'Init:0/2', '0'],
  ],
  [
    'an init container that failed',
    { phase: 'Pending', initContainerStatuses: [status('init', { restartCount: 2, state: { terminated: { exitCode: 3 } as never } })] },
    ['0/2', 'Init:ExitCode:3', '2'],
  ],
  [
    'all containers running',
    {
      phase: 'Running',
      initContainerStatuses: [started, status('side', { ready: true, started: true, state: { running: {} as never } })],
      containerStatuses: [status('main', { ready: true, state: { running: {} as never } })],
    },
    ['2/2', 'Running', '0'],
  ],
  [
    'a crash loop',
    { phase: 'Running', containerStatuses: [status('main', { restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } })] },
    ['0/2', 'CrashLoopBackOff', '4'],
  ],
];

for (const [name, podStatus, cells] of cases) {
  test(`columns of a pod with ${name}`, () => {
    const pod: PodObject = { metadata: { name: 'p' }, spec, status: podStatus };
    assert.deepEqual(
      podColumns.slice(0, 3).map(({ cell }) => cell(pod, clockAt(0))),
      cells,
    );
  });
}

test('a pod that has ended is marked as completed', () => {
  const pod: PodObject = { metadata: { name: 'p' }, spec, status: { phase: 'Succeeded' } };
  assert.equal(podRowConditions(pod)[0]?.message, 'The pod has completed successfully.');
});
