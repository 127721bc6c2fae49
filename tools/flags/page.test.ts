import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { upstreamFlags } from '../../src/cli/flags/upstream-flags.ts';
import { flagsPage } from './page.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/flags.md'), 'utf8');

test('docs/reference/flags.md is current: npm run flags writes it', () => assert.equal(page, flagsPage()));

test('docs/reference/flags.md says of every flag of upstream what it does here', () => {
  const described = new Map(
    [...page.matchAll(/^\| `--([a-z0-9-]+)`[^|]*\|[^|]*\|(?:\\\||[^|])*\| (.+) \|$/gm)].map(([, name, text]) => [name, text]),
  );
  assert.equal(upstreamFlags.length, 172);
  for (const [name] of upstreamFlags) assert.ok((described.get(name as string) ?? '').length > 3, String(name));
});
