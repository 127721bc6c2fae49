import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generate } from '../../tools/generate/main.ts';

test('the generator gives the files that are committed', () => {
  const root = join(import.meta.dirname, '../../src/schema');
  for (const [name, text] of generate()) assert.equal(readFileSync(join(root, name), 'utf8'), text, `${name}: run npm run generate`);
});
