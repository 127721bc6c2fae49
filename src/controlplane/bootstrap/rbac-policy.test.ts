import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RbacObject } from '../../../tools/generate/stored-objects.ts';
import { storedTemplates } from '../../../tools/generate/stored-objects.ts';
import { rbacPolicy } from './rbac-policy.generated.ts';

test('default roles are stored as the rules of their kinds would have it: `npm run generate` makes them anew', async () => {
  const stored = JSON.parse(rbacPolicy) as (RbacObject & { metadata: Record<string, unknown> })[];
  const published = stored.map(({ metadata: { uid: _, creationTimestamp: __, managedFields: ___, ...metadata }, ...fields }) => ({
    ...fields,
    metadata: metadata as RbacObject['metadata'],
  }));
  assert.equal(`[${(await storedTemplates(published)).join(',\n')}]`, rbacPolicy);
});
