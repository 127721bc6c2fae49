import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HorizontalPodAutoscaler } from '../../../schema/types/autoscaling-v2.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { annotationNames } from './v1-annotations.ts';
import { conversionV1 } from './v1-conversion.ts';
import { markDistinct } from '../../../machinery/go-distinctions.ts';
import { cpuMetric, specDefaults } from './defaults.ts';

type Stored = HorizontalPodAutoscaler & KubeObject;

const stored: Stored = {
  metadata: { name: 'h', annotations: { a: 'b' } },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
    minReplicas: 1,
    maxReplicas: 3,
    metrics: [
      { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } },
      { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } } },
      {
        type: 'Object',
        object: {
          describedObject: { kind: 'Service', name: 's' },
          target: { type: 'AverageValue', averageValue: '5' },
          metric: { name: 'hits', selector: { matchLabels: { a: '<' } } },
        },
      },
      cpuMetric(50),
    ],
    behavior: { scaleUp: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] } },
  },
  status: {
    desiredReplicas: 2,
    currentReplicas: 1,
    currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40, averageValue: '100m' } } }],
    conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null }],
  },
};

test('v1 shows CPU in its fields and everything else in annotations', () => {
  const shown = conversionV1.fromStorage(structuredClone(stored));
  assert.deepEqual(shown['spec'], {
    scaleTargetRef: stored.spec.scaleTargetRef,
    minReplicas: 1,
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
  });
  assert.equal(JSON.stringify(shown['status']), '{"currentReplicas":1,"desiredReplicas":2,"currentCPUUtilizationPercentage":40}');
  assert.deepEqual(shown.metadata.annotations, {
    a: 'b',
    [annotationNames.metrics]:
      '[{"type":"Pods","pods":{"metricName":"rps","targetAverageValue":"10"}},{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":70}},{"type":"Object","object":{"target":{"kind":"Service","name":"s"},"metricName":"hits","targetValue":"0","selector":{"matchLabels":{"a":"\\u003c"}},"averageValue":"5"}}]',
    [annotationNames.currentMetrics]:
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":40,"currentAverageValue":"100m"}}]',
    [annotationNames.behavior]:
      '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":null}',
    [annotationNames.conditions]: '[{"type":"AbleToScale","status":"True","lastTransitionTime":null}]',
  });
});

test('nothing is lost on the way to v1 and back', () => {
  assert.deepEqual(conversionV1.toStorage(conversionV1.fromStorage(structuredClone(stored))), stored);
});

test('v1 without a target gets 80 percent of CPU', () => {
  const object = { metadata: {}, spec: { scaleTargetRef: {}, maxReplicas: 1 }, status: { currentReplicas: 0, desiredReplicas: 0 } };
  assert.deepEqual(conversionV1.toStorage(object).spec.metrics, [cpuMetric(80)]);
});

test('annotations that cannot be read are dropped like those that can', () => {
  const metadata = { annotations: { [annotationNames.metrics]: '{', [annotationNames.behavior]: '7' } };
  const object = { metadata, spec: { scaleTargetRef: {}, maxReplicas: 1 }, status: { currentReplicas: 0, desiredReplicas: 0 } };
  const converted = conversionV1.toStorage(object);
  assert.equal(converted.metadata.annotations, undefined);
  assert.equal(converted.spec.behavior, undefined);
});

test('no policies are filled in where it was said that there are none', () => {
  const scaleDown = {};
  markDistinct(scaleDown, 'policies');
  const spec = { ...stored.spec, behavior: { scaleDown } };
  specDefaults(spec);
  const { scaleUp, scaleDown: down } = spec.behavior as NonNullable<typeof stored.spec.behavior>;
  assert.equal(JSON.stringify(down), '{"selectPolicy":"Max"}');
  assert.equal(scaleUp?.policies?.length, 2);
});
