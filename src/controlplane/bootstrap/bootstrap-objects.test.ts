import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapForms } from '../../../tools/generate/bootstrap-forms.ts';
import { bootstrapObjects } from './bootstrap-objects.generated.ts';

test('what every cluster has is stored as the rules of its kinds would have it: `npm run generate` makes it anew', async () => {
  assert.deepEqual(await bootstrapForms(), bootstrapObjects);
});
