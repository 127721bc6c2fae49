import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openEmbeddedStorage } from '../drivers/embedded/open.ts';
import { runCacheBehaviour } from './behaviour/suite.ts';

const root = await mkdtemp(join(tmpdir(), 'wheelhouse-cache-'));
after(() => rm(root, { recursive: true }));

runCacheBehaviour('embedded', async () => openEmbeddedStorage({ directory: await mkdtemp(join(root, 's-')) }));
