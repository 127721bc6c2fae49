import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { argument, innerMarker, parseMarker, parseMarkers } from './marker.ts';

describe('markers', () => {
  const cases = [
    ['required', { level: 'stable', name: 'required', args: '', value: '', orderedBy: 'required' }],
    ['maxItems=32', { level: 'stable', name: 'maxItems', args: '', value: '32', orderedBy: 'maxItems' }],
    ['maximum=10 # the highest', { level: 'stable', name: 'maximum', args: '', value: '10', orderedBy: 'maximum' }],
    ['format="k8s-uuid"', { level: 'stable', name: 'format', args: '', value: 'k8s-uuid', orderedBy: 'format' }],
    ['beta(since: "1.37")=+k8s:maxItems=2', { level: 'beta', name: 'maxItems', args: '', value: '2', orderedBy: 'beta' }],
    ['alpha(since:"1.37")=+k8s:immutable', { level: 'alpha', name: 'immutable', args: '', value: '', orderedBy: 'alpha' }],
    ['ifEnabled("X")=+k8s:minimum=0', { level: 'stable', name: 'ifEnabled', args: '"X"', value: 'minimum=0', orderedBy: 'ifEnabled' }],
  ] as const;
  for (const [text, marker] of cases) test(`${text} is read`, () => assert.deepEqual(parseMarker(text), marker));

  test('a marker inside another has the level of the outer one', () => {
    const marker = parseMarker('beta(since: "1.37")=+k8s:subfield(name)=+k8s:format=k8s-long-name');
    assert.equal(marker.args, 'name');
    assert.deepEqual(innerMarker(marker), { level: 'beta', name: 'format', args: '', value: 'k8s-long-name', orderedBy: 'format' });
  });

  test('markers are taken by name, those of a level in their own order', () => {
    const names = parseMarkers(['required', 'maxItems=2', 'beta(since: "1")=+k8s:optional', 'beta(since: "1")=+k8s:maxItems=1']);
    assert.deepEqual(
      names.map(({ level, name }) => `${level} ${name}`),
      ['beta optional', 'beta maxItems', 'stable maxItems', 'stable required'],
    );
  });

  test('arguments have a name or none, and quotes or none', () => {
    assert.deepEqual(argument('type: "Approved"'), ['type', 'Approved']);
    assert.deepEqual(argument('"Queue"'), ['', 'Queue']);
    assert.deepEqual(argument('CompositePodGroup'), ['', 'CompositePodGroup']);
  });

  test('what is no marker is refused', () => assert.throws(() => parseMarker('+k8s'), /cannot read marker/));
});
