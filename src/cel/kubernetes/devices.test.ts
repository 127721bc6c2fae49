import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeviceExpressionUse, DeviceFeatures } from './devices.ts';
import { DeviceExpressions } from './devices.ts';

const defaults: DeviceFeatures = { consumableCapacity: true, listTypeAttributes: false };

interface Case {
  readonly expression: string;
  readonly use?: DeviceExpressionUse;
  readonly features?: DeviceFeatures;
  readonly expected: RegExp | number;
}

const lists: DeviceFeatures = { ...defaults, listTypeAttributes: true };

/** Costs are those that upstream's own tests state. */
const cases: readonly Case[] = [
  { expression: 'true', expected: 0 },
  { expression: 'device.driver == "dra.example.com"', expected: 4 },
  { expression: 'device.driver', expected: /^must evaluate to bool or the unknown type, not string$/ },
  { expression: 'device.attributes["dra.example.com"].fast', expected: 4 },
  { expression: 'device.attributes', expected: /not map\(string, map\(string, google\.protobuf\.Any\)\)$/ },
  { expression: 'null', expected: /not null_type$/ },
  { expression: '"no-such-domain" in device.attributes', expected: 3 },
  { expression: 'cel.bind(dra, device.attributes["dra.example.com"], dra.name)', expected: 15 },
  { expression: 'device.attributes["dra.example.com"].name.isGreaterThan(semver("0.0.1"))', expected: 6 },
  { expression: 'device.capacity["dra.example.com"].name.isGreaterThan(quantity("1Ki"))', expected: 6 },
  { expression: 'device.attributes.exists_one(x, x == "dra.example.com")', expected: 164 },
  { expression: 'device.attributes["dra.example.com"].exists_one(x, x == "services")', expected: 133 },
  { expression: 'device.attributes["dra.example.com"].services.split("example").size() >= 2', expected: 19 },
  { expression: 'device.attributes["dra.example.com"].services.matches("[^a]?sym")', expected: 18 },
  { expression: 'device.attributes["dra.example.com"].ids.includes("fish")', expected: /undeclared reference to 'includes'/ },
  { expression: 'device.attributes["dra.example.com"].ids.includes("fish")', features: lists, expected: 68 },
  { expression: 'device.attributes["dra.example.com"].ids.exists(x, x > 0)', features: lists, expected: 389 },
  { expression: '1 in device.attributes["dra.example.com"].ids', features: lists, expected: 68 },
  { expression: 'device.allowMultipleAllocations', expected: 2 },
  {
    expression: 'device.allowMultipleAllocations',
    features: { ...defaults, consumableCapacity: false },
    expected: /undefined field 'allowMultipleAllocations'/,
  },
  { expression: 'device.attributes["dra.example.com"].numa', use: 'attribute', expected: 4 },
  {
    expression: '[1]',
    use: 'attribute',
    expected: /^must evaluate to a primitive scalar \(string, integer, boolean, semver\), not list\(int\)$/,
  },
  { expression: '[1]', use: 'attribute', features: lists, expected: 10 },
  { expression: '{"a": 1}', use: 'attribute', features: lists, expected: /or a list of these scalars, not map\(string, int\)$/ },
];

describe('an expression about a device', () => {
  for (const { expression, use = 'selector', features = defaults, expected } of cases) {
    test(`${expression} as ${use} ${typeof expected === 'number' ? `costs at most ${expected}` : 'is refused'}`, () => {
      const compiled = new DeviceExpressions(features).compile(expression, use);
      if (typeof expected === 'number') assert.deepEqual(compiled, { maxCost: expected });
      else assert.match('invalid' in compiled ? compiled.invalid : '', expected);
    });
  }
});
