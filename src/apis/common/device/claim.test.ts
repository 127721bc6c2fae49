import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allSteps } from '../../../base/steps.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { DeviceClaim, DeviceRequest, DeviceSubRequest, ExactDeviceRequest } from '../../../schema/types/resource-v1.ts';
import { validateDeviceClaim } from './claim.ts';

const path = FieldPath.root('spec', 'devices');
const unknown = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
const exactly = (changes: Partial<ExactDeviceRequest> = {}): DeviceRequest => ({
  name: 'r',
  exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1, ...changes },
});
const oneOf = (...firstAvailable: Partial<DeviceSubRequest>[]): DeviceRequest => ({
  name: 'r',
  firstAvailable: firstAvailable.map((sub, index) => ({
    name: `s${index}`,
    deviceClassName: 'c',
    allocationMode: 'ExactCount',
    count: 1,
    ...sub,
  })),
});
const asked = (request: DeviceRequest, more: Partial<DeviceClaim> = {}): DeviceClaim => ({ requests: [request], ...more });

interface Case {
  readonly what: string;
  readonly claim: DeviceClaim;
  readonly errors: readonly string[];
  readonly disabled?: string;
}

const cases: readonly Case[] = [
  { what: 'one device', claim: asked(exactly()), errors: [] },
  {
    what: 'a request for nothing',
    claim: asked({ name: 'r' }),
    errors: ['spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required'],
  },
  {
    what: 'a request for both',
    claim: asked({ ...exactly(), ...oneOf({}) }),
    errors: [
      'spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set',
    ],
  },
  {
    what: 'a number of all devices',
    claim: asked(exactly({ allocationMode: 'All', count: 2 })),
    errors: ["spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'"],
  },
  {
    what: 'no device',
    claim: asked(oneOf({ count: 0 })),
    errors: ['spec.devices.requests[0].firstAvailable[0].count: Invalid value: 0: must be greater than zero'],
  },
  {
    what: 'a request without a mode',
    claim: asked(exactly({ allocationMode: '', count: 0 })),
    errors: ['spec.devices.requests[0].exactly.allocationMode: Unsupported value: "": supported values: "All", "ExactCount"'],
  },
  {
    what: 'a selector that selects nothing',
    claim: asked(exactly({ selectors: [{}, { cel: { expression: 'device.driver' } }] })),
    errors: [
      'spec.devices.requests[0].exactly.selectors[0].cel: Required value',
      'spec.devices.requests[0].exactly.selectors[1].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string',
    ],
  },
  {
    what: 'a selector that is too expensive',
    claim: asked(
      exactly({
        selectors: [
          { cel: { expression: 'device.attributes.all(w, device.attributes.all(x, device.attributes.all(y, w + x + y != "a")))' } },
        ],
      }),
    ),
    errors: ['spec.devices.requests[0].exactly.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit'],
  },
  {
    what: 'more selectors than declared',
    claim: asked(exactly({ selectors: Array.from({ length: 33 }, () => ({})) })),
    errors: [],
  },
  {
    what: 'a toleration of any value with a value',
    claim: asked(exactly({ tolerations: [{ operator: 'Exists', value: 'v' }] })),
    errors: ['spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "v": must be empty for operator `Exists`'],
  },
  {
    what: 'a computed attribute that nobody uses',
    claim: asked(oneOf({ derivedAttributes: [{ name: 'a.com/x', expression: '1' }] }), {
      constraints: [{ requests: ['r/s0'], matchAttribute: 'a.com/y' }],
    }),
    errors: [
      'spec.devices.requests[0].firstAvailable[0].derivedAttributes[0].name: Invalid value: "a.com/x": must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request',
    ],
  },
  {
    what: 'computed attributes that constraints of the request or of all requests use',
    claim: asked(
      oneOf({
        derivedAttributes: [
          { name: 'a.com/x', expression: '1' },
          { name: 'a.com/y', expression: '"b"' },
        ],
      }),
      { constraints: [{ requests: ['r'], matchAttribute: 'a.com/x' }, { distinctAttribute: 'a.com/y' }] },
    ),
    errors: [],
  },
  {
    what: 'references to nothing',
    claim: asked(oneOf({}), {
      constraints: [{ requests: ['r/s0', 'r/s1', 'x', 'r/s0/x'], matchAttribute: 'a.com/x' }],
      config: [{ requests: ['y'] }],
    }),
    errors: [
      `spec.devices.constraints[0].requests[1]: Invalid value: "r/s1": ${unknown}`,
      `spec.devices.constraints[0].requests[2]: Invalid value: "x": ${unknown}`,
      `spec.devices.constraints[0].requests[3]: Invalid value: "r/s0/x": ${unknown}`,
      `spec.devices.config[0].requests[0]: Invalid value: "y": ${unknown}`,
      'spec.devices.config[0].opaque: Required value',
    ],
  },
  {
    what: 'a constraint without an attribute',
    claim: asked(exactly(), { constraints: [{}] }),
    errors: [
      'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
    ],
  },
  {
    what: 'a constraint without an attribute, where there is only one sort',
    claim: asked(exactly(), { constraints: [{}] }),
    disabled: 'DRAConsumableCapacity',
    errors: ['spec.devices.constraints[0].matchAttribute: Required value'],
  },
  {
    what: 'parameters that are no object',
    claim: asked(exactly(), { config: [{ opaque: { driver: 'd', parameters: [] as unknown as Record<string, unknown> } }] }),
    errors: ['spec.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object'],
  },
  {
    what: 'parameters with large numbers',
    claim: asked(exactly(), { config: [{ opaque: { driver: 'd', parameters: { a: 12345678901234567890n } } }] }),
    errors: [],
  },
  {
    what: 'many parameters',
    claim: asked(exactly(), { config: [{ opaque: { driver: 'd', parameters: { a: Array.from({ length: 5117 }, () => 1) } } }] }),
    errors: ['spec.devices.config[0].opaque.parameters: Too long: may not be more than 10240 bytes'],
  },
  {
    what: 'as many parameters as there may be',
    claim: asked(exactly(), { config: [{ opaque: { driver: 'd', parameters: { a: Array.from({ length: 5116 }, () => 1) } } }] }),
    errors: [],
  },
  {
    what: 'large parameters',
    claim: asked(exactly(), { config: [{ opaque: { driver: 'd', parameters: { a: 'x'.repeat(10240) } } }] }),
    errors: ['spec.devices.config[0].opaque.parameters: Too long: may not be more than 10240 bytes'],
  },
];

describe('validateDeviceClaim()', () => {
  for (const { what, claim, errors, disabled } of cases) {
    test(`judges ${what}`, () => {
      assert.deepEqual(allSteps(validateDeviceClaim(claim, path, { enabled: (gate) => gate !== disabled })).map(String), errors);
    });
  }

  test('adds up what all computed attributes cost', () => {
    const expression = 'device.attributes.all(x, device.attributes.all(y, device.attributes.all(z, x + y != z)))';
    const names = ['a.com/x', 'a.com/y'];
    const attributes = names.map((name) => ({ name, expression }));
    const claim = asked(exactly({ derivedAttributes: attributes }), { constraints: names.map((matchAttribute) => ({ matchAttribute })) });
    const errors = allSteps(validateDeviceClaim(claim, path, { enabled: () => true })).map(String);
    assert.equal(
      errors.at(-1),
      'spec.devices: Forbidden: too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit',
    );
  });
});
