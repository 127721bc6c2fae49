import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testContext, typedContext } from '../../../test/support/write-context.ts';
import type { Steps } from '../../base/steps.ts';
import type { ResourceClaimSpec } from '../../schema/types/resource-v1.ts';
import { deviceClasses } from './device-class/definition.ts';
import { resourceClaimTemplates } from './resource-claim-template/definition.ts';
import type { ClaimTemplateObject } from './resource-claim-template/validation.ts';
import { resourceClaims } from './resource-claim/definition.ts';

const count = 32;
const selectors = Array.from({ length: count }, () => ({ cel: { expression: 'true' } }));
const devices = Array.from({ length: count }, () => ({ driver: 'd', pool: 'p', device: 'a', conditions: null }));
const metadata = { name: 'a' };
const context = testContext();
const asking = (request: object): ResourceClaimSpec => ({ devices: { requests: [{ name: 'r', ...request }] } });
const request = { deviceClassName: 'c', allocationMode: 'All', selectors };
const exactly = asking({ exactly: request });
const alternatives = asking({ firstAvailable: [{ name: 's', ...request }] });
const template = (spec: ResourceClaimSpec): ClaimTemplateObject => ({ metadata, spec: { metadata: {}, spec } });

const cases: readonly (readonly [what: string, Steps<unknown> | undefined])[] = [
  ['a claim', resourceClaims.strategy?.validateInSteps?.({ metadata, spec: exactly, status: {} }, undefined, context)],
  [
    'a claim with alternatives',
    resourceClaims.strategy?.validateInSteps?.({ metadata, spec: alternatives, status: {} }, undefined, context),
  ],
  [
    'the status of a claim',
    resourceClaims.status?.validateInSteps?.(
      { metadata, spec: exactly, status: { devices } },
      { metadata, spec: exactly, status: {} },
      context,
    ),
  ],
  ['a template', resourceClaimTemplates.strategy?.validateInSteps?.(template(exactly), undefined, context)],
  [
    'a template with other selectors',
    resourceClaimTemplates.strategy?.validateInSteps?.(
      template(exactly),
      template(alternatives),
      typedContext({ group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaimTemplate' }),
    ),
  ],
  ['a class', deviceClasses.strategy?.validateInSteps?.({ metadata, spec: { selectors } }, undefined, context)],
  [
    'a class with other selectors',
    deviceClasses.strategy?.validateInSteps?.({ metadata, spec: { selectors } }, { metadata, spec: {} }, context),
  ],
];

describe('validation lets others through after each selector and device', () => {
  for (const [what, steps] of cases) {
    test(`of ${what}`, () => {
      const pauses = steps?.toArray().length ?? 0;
      assert.ok(pauses >= count, `${pauses} pauses`);
    });
  }
});
