import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allSteps } from '../../../base/steps.ts';
import type { AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaimStatus } from '../../../schema/types/resource-v1.ts';
import type { UserInfo } from '../../../server/request/user.ts';
import type { Attributes } from '../../../server/request/authorizer.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { authorizeStatus } from './status-authorization.ts';
import { dropDeallocatedDevices, dropDisabledStatusFields } from './status-fields.ts';
import { validateStatusUpdate } from './status-validation.ts';
import type { ClaimObject } from './validation.ts';

const result = (changes: Partial<DeviceRequestAllocationResult> = {}): DeviceRequestAllocationResult => ({
  request: 'r',
  driver: 'd',
  pool: 'p',
  device: 'a',
  ...changes,
});
const device = (changes: Partial<AllocatedDeviceStatus> = {}): AllocatedDeviceStatus => ({
  driver: 'd',
  pool: 'p',
  device: 'a',
  conditions: null,
  ...changes,
});
const claim = (status: ResourceClaimStatus = {}, metadata: object = {}): ClaimObject => ({
  metadata: { name: 'c', ...metadata },
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'x' } }] } },
  status,
});
const allocated = (...results: DeviceRequestAllocationResult[]): ResourceClaimStatus => ({ allocation: { devices: { results } } });
const pod = (uid: string): { resource: string; name: string; uid: string } => ({ resource: 'pods', name: 'p', uid });

describe('validateStatusUpdate()', () => {
  const cases: readonly (readonly [what: string, now: ClaimObject, before: ClaimObject, errors: readonly string[]])[] = [
    ['an allocation', claim({ ...allocated(result()), devices: [device()], reservedFor: [pod('1')] }), claim(), []],
    [
      'an allocation for nobody',
      claim(allocated(result({ request: 'x', bindingConditions: ['a'] }))),
      claim(),
      [
        'status.allocation.devices.results[0].request: Invalid value: "x": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
        'status.allocation.devices.results[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
      ],
    ],
    ['an allocation that is there already', claim(allocated(result({ request: 'x' }))), claim(allocated(result({ request: 'x' }))), []],
    [
      'a reservation of nothing',
      claim({ reservedFor: [pod('')] }),
      claim(),
      ['status.reservedFor[0].uid: Required value', 'status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
    ],
    [
      'a reservation while the claim goes away',
      claim({ ...allocated(result()), reservedFor: [pod('1'), pod('2')] }, { deletionTimestamp: 't' }),
      claim({ ...allocated(result()), reservedFor: [pod('1')] }),
      ['status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'],
    ],
    [
      'the status of a device of others',
      claim({ ...allocated(result()), devices: [device({ shareID: 's', data: [] as unknown as Record<string, unknown> })] }),
      claim(),
      [
        'status.devices[0]: Invalid value: {"Driver":"d","Pool":"p","Device":"a","ShareID":"s"}: must be an allocated device in the claim',
        'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
      ],
    ],
  ];
  for (const [what, now, before, errors] of cases) {
    test(`judges ${what}`, () => assert.deepEqual(allSteps(validateStatusUpdate(now, before)).map(String), errors));
  }
});

describe('the status of a claim', () => {
  const gated = (): ClaimObject =>
    claim({
      ...allocated(
        result({
          adminAccess: true,
          shareID: 's',
          consumedCapacity: {},
          bindingConditions: ['a'],
          bindingFailureConditions: ['b'],
          skipNodeOperations: ['*'],
        }),
      ),
      devices: [device({ shareID: 's' })],
    });

  test('has no fields that no gate allows', () => {
    const object = gated();
    dropDisabledStatusFields(object, claim(), { enabled: () => false });
    assert.deepEqual(object, claim(allocated(result())));
  });

  test('keeps fields that are in use', () => {
    const object = gated();
    dropDisabledStatusFields(object, gated(), { enabled: () => false });
    assert.deepEqual(object, gated());
  });

  test('says nothing of devices that have been taken away', () => {
    const status: ResourceClaimStatus = { ...allocated(result()), devices: [device(), device({ device: 'b' }), device({ device: 'c' })] };
    dropDeallocatedDevices(status, allocated(result(), result({ device: 'b' })));
    assert.deepEqual(
      status.devices?.map((one) => one.device),
      ['a', 'c'],
    );
    dropDeallocatedDevices(status, { ...allocated(result(), result({ device: 'c' })) });
    const none: ResourceClaimStatus = { devices: [device()] };
    dropDeallocatedDevices(none, allocated(result()));
    assert.deepEqual(none, {});
  });
});

describe('authorizeStatus()', () => {
  const onNode = (status: ResourceClaimStatus): ResourceClaimStatus => ({
    ...status,
    allocation: {
      devices: {},
      ...status.allocation,
      nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }] },
    },
  });
  const account: UserInfo = {
    name: 'system:serviceaccount:default:driver',
    uid: '',
    groups: [],
    extra: { 'authentication.kubernetes.io/node-name': ['n'] },
  };
  /** Who may do only what is listed: `verb subresource name`. */
  const allowing = (...allowed: string[]): Partial<WriteContext> => ({
    verb: 'update',
    authorizer: {
      authorize: ({ verb, subresource, name }: Attributes) => ({
        decision: allowed.includes(`${verb} ${subresource} ${name}`.trim()) ? 'allow' : 'no-opinion',
        reason: '',
      }),
    },
  });
  const fields = async (now: ResourceClaimStatus, before: ResourceClaimStatus, context: Partial<WriteContext>): Promise<string[]> =>
    (await authorizeStatus(claim(now), claim(before), testContext(context))).map(({ field }) => field);

  test('asks who allocates for binding', async () => {
    assert.deepEqual(await fields(allocated(result()), {}, allowing()), ['status.allocation']);
    assert.deepEqual(await fields(allocated(result()), {}, allowing('update binding')), []);
  });

  test('asks who speaks for a device for its driver', async () => {
    const before = allocated(result());
    const now = { ...before, devices: [device(), device({ driver: 'e' })] };
    assert.deepEqual(await fields(now, before, allowing('arbitrary-node:update driver d')), ['status.devices']);
    assert.deepEqual(await fields(now, now, allowing()), []);
    assert.deepEqual(await fields(before, now, allowing('arbitrary-node:update driver d', 'arbitrary-node:update driver e')), []);
  });

  test('lets a driver speak for devices of its own node', async () => {
    const before = onNode(allocated(result()));
    const now = { ...before, devices: [device()] };
    const allowed = allowing('associated-node:update driver d');
    assert.deepEqual(await fields(now, before, { ...allowed, user: account }), []);
    const elsewhere = { ...account, extra: { 'authentication.kubernetes.io/node-name': ['m'] } };
    assert.deepEqual(await fields(now, before, { ...allowed, user: elsewhere }), ['status.devices']);
  });

  test('says what is missing', async () => {
    const [error] = await authorizeStatus(claim(allocated(result())), claim(), testContext({ ...allowing(), version: 'v1' }));
    assert.equal(
      String(error),
      'status.allocation: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="update" permission: resourceclaims.resource.k8s.io is forbidden: User "admin" cannot update resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope',
    );
  });
});
