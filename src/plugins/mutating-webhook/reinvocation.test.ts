import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from '../common/webhooks/webhook.ts';
import { Reinvocation } from './reinvocation.ts';

class TestReinvocation {
  isReinvoke = false;
  shouldReinvoke = false;

  setShouldReinvoke(): void {
    this.shouldReinvoke = true;
  }
}

const webhook = (name: string, reinvocationPolicy: string): Webhook =>
  new Webhook('c', { name, clientConfig: {}, sideEffects: 'None', admissionReviewVersions: ['v1'], reinvocationPolicy });
const eager = webhook('eager', 'IfNeeded');
const later = webhook('later', 'IfNeeded');
const never = webhook('never', 'Never');

describe('webhooks are asked again', () => {
  test('when one after them has changed the object, if they want to, and were asked at first', () => {
    const context = new TestReinvocation();
    const reinvocation = new Reinvocation(context);
    const object = { metadata: {} };
    reinvocation.begin(object);
    for (const one of [eager, never]) reinvocation.asked(one);
    reinvocation.changed();
    reinvocation.asked(later);
    reinvocation.end(object);
    assert.ok(context.shouldReinvoke);
    context.isReinvoke = true;
    reinvocation.begin(object);
    assert.deepEqual(
      [eager, never, later, webhook('new', 'IfNeeded')].map((one) => reinvocation.isAsked(one)),
      [true, false, false, false],
    );
  });

  test('when another plugin has changed the object since', () => {
    const context = new TestReinvocation();
    const reinvocation = new Reinvocation(context);
    const object: { metadata: { name?: string } } = { metadata: {} };
    reinvocation.begin(object);
    reinvocation.asked(eager);
    reinvocation.end(object);
    assert.equal(context.shouldReinvoke, false);
    object.metadata.name = 'changed in place';
    context.isReinvoke = true;
    reinvocation.begin(object);
    assert.ok(reinvocation.isAsked(eager));
    assert.equal(reinvocation.round, 1);
  });
});
