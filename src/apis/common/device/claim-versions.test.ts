import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ResourceClaimSpec } from '../../../schema/types/resource-v1.ts';
import { flattenRequests, nestRequests } from './claim-conversion.ts';
import { claimDefaults } from './claim-defaults.ts';
import { dropDisabledClaimFields } from './claim-disabled-fields.ts';

const spec = (...requests: unknown[]): ResourceClaimSpec => ({ devices: { requests } }) as unknown as ResourceClaimSpec;

describe('a claim in v1beta1', () => {
  const flat = { name: 'r', deviceClassName: 'c', count: 2, allocationMode: 'ExactCount' };
  const nested = { name: 'r', exactly: { deviceClassName: 'c', count: 2, allocationMode: 'ExactCount' } };
  const alternatives = { name: 'r', firstAvailable: [{ name: 's', deviceClassName: 'c' }] };

  test('has the fields of an exact request in the request', () => {
    const claim = spec(flat);
    nestRequests(claim);
    assert.deepEqual(claim, spec(nested));
    flattenRequests(claim);
    assert.deepEqual(claim, spec(flat));
  });

  test('has an empty class where there are alternatives', () => {
    const claim = spec(alternatives);
    flattenRequests(claim);
    assert.deepEqual(claim, spec({ ...alternatives, deviceClassName: '' }));
    nestRequests(claim);
    assert.deepEqual(claim, spec(alternatives));
  });

  test('asks for one device where it names a class', () => {
    const claim = spec({ name: 'a', deviceClassName: 'c' }, { name: 'b', deviceClassName: '' });
    claimDefaults(claim, 'v1beta1');
    assert.deepEqual(
      claim,
      spec({ name: 'a', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 }, { name: 'b', deviceClassName: '' }),
    );
  });
});

test('claimDefaults() asks for one device, but not where all are wanted', () => {
  const claim = spec({ name: 'r', exactly: { deviceClassName: 'c' } }, { name: 's', firstAvailable: [{ allocationMode: 'All' }, {}] });
  claimDefaults(claim, 'v1');
  const one = { allocationMode: 'ExactCount', count: 1 };
  assert.deepEqual(
    claim,
    spec({ name: 'r', exactly: { deviceClassName: 'c', ...one } }, { name: 's', firstAvailable: [{ allocationMode: 'All' }, one] }),
  );
});

describe('dropDisabledClaimFields()', () => {
  const full = (): ResourceClaimSpec =>
    ({
      devices: {
        requests: [
          { name: 'a', exactly: { deviceClassName: 'c', adminAccess: true, tolerations: [{}], capacity: {}, derivedAttributes: [{}] } },
          { name: 'b', firstAvailable: [{ name: 's', deviceClassName: 'c', tolerations: [{}] }] },
        ],
        constraints: [{ distinctAttribute: 'x' }],
      },
    }) as unknown as ResourceClaimSpec;
  const bare = { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c' } }, { name: 'b' }], constraints: [{}] } };

  test('leaves only what every release knew', () => {
    const claim = full();
    dropDisabledClaimFields(claim, undefined, { enabled: () => false });
    assert.deepEqual(claim, bare);
  });

  test('keeps what was in use before', () => {
    const claim = full();
    dropDisabledClaimFields(claim, full(), { enabled: () => false });
    assert.deepEqual(claim, full());
  });
});
