import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pluginDefinitions } from '../controlplane/plugins.ts';
import { knownPlugins } from './admission.ts';

test('the flags take the names of all plugins and no others', () => {
  assert.deepEqual([...knownPlugins], pluginDefinitions.map(({ name }) => name).toSorted());
});
