/**
 * Sends wrecked requests to a server in this process: `node test/fuzz/requests.ts [count=5000] [seed=1] [recordings]`.
 *
 * Bodies that are cut, deep, large, not UTF-8 or have keys twice; paths, verbs, headers, selectors, tokens, versions and options that are
 * none; unknown media types. `recordings` is a folder of recorded requests (`*.jsonl.gz`, one case a line) to wreck as well.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startTestServer } from '../../src/testing/index.ts';
import { RawClient } from '../support/raw-client.ts';
import { fuzzRequests } from './request-fuzz.ts';
import type { Recorded } from './wrecker.ts';

const [count = '5000', seed = '1', recordings] = process.argv.slice(2);

/** The requests of recorded cases, each in the namespace that always is there. */
function readRecorded(folder: string): Recorded[] {
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl.gz'))
    .flatMap((file) =>
      gunzipSync(readFileSync(join(folder, file)))
        .toString()
        .split('\n'),
    )
    .filter((line) => line !== '');
  return lines.flatMap((line) => {
    const text = line.replaceAll('{ns}', 'default').replaceAll('{id}', 'a');
    const { steps } = (JSON.parse(text) as { readonly case: { readonly steps: readonly Recorded[] } }).case;
    return steps.filter(({ path, method }) => typeof path === 'string' && typeof method === 'string' && !path.includes('watch'));
  });
}

const megabytes = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);
const recorded = recordings === undefined ? [] : readRecorded(recordings);
const started = performance.now();
const memory: number[] = [];

await using server = await startTestServer({ controllers: false });
await using client = new RawClient(server);
const { answers, failures, slowest } = await fuzzRequests(client, {
  count: Number(count),
  seed: Number(seed),
  recorded,
  progress: (sent) => {
    memory.push(megabytes());
    if (sent % 4000 === 0) console.log(`${sent} requests, ${megabytes()} MB`);
  },
});
console.table([...answers].toSorted(([a], [b]) => a - b).map(([code, times]) => ({ code, answers: times })));
console.log(`slowest ${slowest.milliseconds.toFixed(0)} ms: ${slowest.request.slice(0, 300)}`);
console.log(`memory after each round: ${memory.filter((_, index) => index % Math.ceil(memory.length / 20) === 0).join(' ')} MB`);
console.log(`${count} requests, seed ${seed}, ${recorded.length} recorded ones, ${((performance.now() - started) / 1000).toFixed(1)} s`);
assert.deepEqual(failures, []);
assert.equal((await client.call('GET', '/readyz')).text, 'ok');
