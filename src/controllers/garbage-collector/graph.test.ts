import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ObjectMeta, OwnerReference } from '../../machinery/object-meta.ts';
import { Graph } from './graph.ts';
import type { Identity } from './identity.ts';

interface Seen {
  readonly namespace?: string;
  readonly owners?: readonly Partial<OwnerReference>[];
  readonly deleted?: boolean;
  readonly finalizers?: string[];
}

const identityOf = (uid: string, namespace = 'here'): Identity => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: uid, uid });

/** A graph that writes down what it has found to do since it was last asked. */
function watched() {
  let found: string[] = [];
  const graph = new Graph({
    attemptToDelete: ({ identity, observed }) => found.push(`delete ${observed ? '' : 'heard-of '}${identity.name}`),
    attemptToOrphan: ({ identity }) => found.push(`orphan ${identity.name}`),
    reportForeignOwner: ({ identity }, owner) => found.push(`${identity.name} has foreign ${owner.name}`),
  });
  const see = (uid: string, { namespace = 'here', owners = [], deleted = false, finalizers }: Seen = {}): void => {
    const metadata: ObjectMeta = {
      name: uid,
      namespace,
      uid,
      ...(owners.length > 0 && {
        ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: owner.uid ?? '', uid: '', ...owner })),
      }),
      ...(deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ...(finalizers !== undefined && { finalizers }),
    };
    graph.observe(identityOf(uid, namespace), metadata);
  };
  const work = (): string[] => {
    const before = found;
    found = [];
    return before;
  };
  return { graph, see, work };
}

const blocking = { blockOwnerDeletion: true };

describe('Graph', () => {
  test('has nothing to do for objects with owners that are there', () => {
    const { see, work } = watched();
    see('owner');
    see('child', { owners: [{ uid: 'owner' }] });
    assert.deepEqual(work(), []);
  });

  test('wants to know whether an owner exists that it has not seen, and is content when it sees it', () => {
    const { graph, see, work } = watched();
    see('child', { owners: [{ uid: 'owner' }] });
    assert.deepEqual(work(), ['delete heard-of owner']);
    see('owner');
    assert.deepEqual(work(), []);
    assert.equal(graph.node('owner')?.observed, true);
    assert.equal(graph.node('owner')?.dependents.size, 1);
  });

  test('looks at dependents when their owner is gone or never was', () => {
    const { graph, see, work } = watched();
    see('owner');
    see('a', { owners: [{ uid: 'owner' }] });
    graph.remove('owner');
    assert.deepEqual(work(), ['delete a']);
    see('b', { owners: [{ uid: 'nobody' }] });
    work();
    graph.confirmAbsent(identityOf('nobody'));
    assert.deepEqual(work(), ['delete b']);
    assert.equal(graph.node('nobody'), undefined);
  });

  test('looks at dependents and owner when the owner waits for them, once', () => {
    const { see, work } = watched();
    see('owner');
    see('child', { owners: [{ uid: 'owner', ...blocking }] });
    const waiting = { deleted: true, finalizers: ['foregroundDeletion'] };
    see('owner', waiting);
    assert.deepEqual(work(), ['delete child', 'delete owner']);
    see('owner', waiting);
    assert.deepEqual(work(), []);
  });

  test('looks at an owner that waits when the last dependent that blocks it is gone, or one blocks it no longer', () => {
    const { graph, see, work } = watched();
    see('owner', { deleted: true, finalizers: ['foregroundDeletion'] });
    see('first', { owners: [{ uid: 'owner', ...blocking }] });
    see('second', { owners: [{ uid: 'owner', ...blocking }] });
    see('third', { owners: [{ uid: 'owner', ...blocking }] });
    work();
    graph.remove('first');
    assert.deepEqual(work(), []);
    see('second', { owners: [{ uid: 'owner' }] });
    assert.deepEqual(work(), ['delete owner']);
    graph.remove('third');
    assert.deepEqual(work(), ['delete owner']);
    assert.deepEqual(graph.node('owner')?.blockingDependents, []);
  });

  test('looks at a dependent that comes while its owner waits, if the owner would wait for it', () => {
    const { see, work } = watched();
    see('owner', { deleted: true, finalizers: ['foregroundDeletion'] });
    work();
    see('idle', { owners: [{ uid: 'owner' }] });
    assert.deepEqual(work(), []);
    see('late', { owners: [{ uid: 'owner', ...blocking }] });
    assert.deepEqual(work(), ['delete late']);
  });

  test('orphans when an owner asks for it, whatever else it asks for', () => {
    const { see, work } = watched();
    see('owner', { deleted: true, finalizers: ['foregroundDeletion', 'orphan'] });
    assert.deepEqual(work(), ['orphan owner']);
  });

  test('distrusts references to owners in other namespaces, in whatever order the objects come', () => {
    const { see, work } = watched();
    see('owner', { namespace: 'there' });
    see('after', { owners: [{ uid: 'owner' }] });
    assert.deepEqual(work(), ['after has foreign owner', 'delete after']);
    see('before', { owners: [{ uid: 'late' }] });
    work();
    see('late', { namespace: 'there' });
    assert.deepEqual(work(), ['before has foreign late', 'delete before']);
  });

  test('trusts references to owners of the whole cluster from every namespace', () => {
    const { see, work } = watched();
    see('owner', { namespace: '' });
    see('a', { namespace: 'here', owners: [{ uid: 'owner' }] });
    see('b', { namespace: 'there', owners: [{ uid: 'owner' }] });
    assert.deepEqual(work(), []);
  });

  test('distrusts references that call an owner something else', () => {
    const { see, work } = watched();
    see('owner');
    see('child', { owners: [{ uid: 'owner', name: 'other' }] });
    assert.deepEqual(work(), ['delete child']);
  });

  test('does not believe that an object is gone because somebody called it something that is not there', () => {
    const { graph, see, work } = watched();
    see('owner');
    see('wrong', { owners: [{ uid: 'owner', name: 'other' }] });
    see('right', { owners: [{ uid: 'owner' }] });
    work();
    graph.confirmAbsent({ ...identityOf('owner'), name: 'other' });
    assert.deepEqual(work(), ['delete wrong']);
    assert.equal(graph.node('owner')?.observed, true);
  });

  test('tries every name by which dependents call an owner before it gives up', () => {
    const { graph, see, work } = watched();
    see('a', { owners: [{ uid: 'owner', name: 'one' }] });
    see('b', { owners: [{ uid: 'owner', name: 'two' }] });
    work();
    graph.confirmAbsent({ ...identityOf('owner'), name: 'one' });
    assert.deepEqual(work(), ['delete a', 'delete heard-of two']);
    graph.confirmAbsent({ ...identityOf('owner'), name: 'two' });
    assert.deepEqual(work(), ['delete b', 'delete heard-of one']);
    graph.remove('a');
    graph.confirmAbsent({ ...identityOf('owner'), name: 'one' });
    assert.deepEqual(work(), ['delete heard-of two']);
    graph.confirmAbsent({ ...identityOf('owner'), name: 'two' });
    assert.deepEqual(work(), ['delete b']);
    assert.equal(graph.node('owner'), undefined);
  });

  test('forgets objects and whom they belong to', () => {
    const { graph, see } = watched();
    see('owner');
    see('child', { owners: [{ uid: 'owner' }] });
    graph.remove('child');
    assert.equal(graph.node('owner')?.dependents.size, 0);
    graph.remove('owner');
    assert.equal(graph.size, 0);
  });
});
