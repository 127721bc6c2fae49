/** `npm run test:profiles [-- --ours EXECUTABLE]`: a server under a little load, and what `go tool pprof -top` makes of its profiles. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as startRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';

const { values } = parseArgs({ options: { ours: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-profiles-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const executable = values.ours ?? installOurs(root);
const server = owned.use(await ApiServerProcess.start({ executable, folder: join(root, 'server'), storage: 'embedded' }));

function fetchProfile(path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const asked = startRequest(`${server.url}${path}`, { ...server.credentials }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts));
        else reject(new Error(`${path}: ${response.statusCode} ${Buffer.concat(parts).toString()}`));
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Some thousand requests at most: enough to be seen in a profile. */
let made = 0;
async function load(until: Promise<unknown>): Promise<void> {
  let isOver = false;
  until.finally(() => (isOver = true)).catch(() => {});
  const folder = '/api/v1/namespaces/default/configmaps';
  for (let index = 0; !isOver && index < 5000; index++) {
    const name = `profiled-${made++}`;
    await server.post(folder, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(2000) } });
    await server.request('GET', folder);
    if (index % 2 === 0) await server.request('DELETE', `${folder}/${name}`);
  }
}

/** What must be named: a function of ours, by the name that it has in the sources. */
const wanted: readonly { readonly name: string; readonly path: string; readonly functions: readonly string[] }[] = [
  { name: 'cpu', path: '/debug/pprof/profile?seconds=8', functions: ['create', '#serve', 'dispatch'] },
  { name: 'heap', path: '/debug/pprof/heap?seconds=8', functions: ['decode', 'transact', '#apply', '#encode', 'put'] },
  { name: 'allocs', path: '/debug/pprof/allocs?seconds=4', functions: ['create', '#serve', 'dispatch'] },
];
let failed = 0;
for (const { name, path, functions } of wanted) {
  const profile = fetchProfile(path);
  await load(profile);
  const file = join(root, `${name}.pb.gz`);
  writeFileSync(file, await profile);
  gunzipSync(await profile);
  const top = execFileSync('go', ['tool', 'pprof', '-top', '-nodecount=10000', file], { encoding: 'utf8' });
  const named = functions.filter((one) => top.split('\n').some((line) => line.trim().endsWith(` ${one}`)));
  console.log(`=== ${name}: names ${named.join(', ') || 'none'} of ${functions.join(', ')}\n${top.split('\n').slice(0, 16).join('\n')}`);
  if (named.length === 0) failed++;
}
for (const name of ['goroutine', 'block', 'mutex', 'threadcreate']) {
  const file = join(root, `${name}.pb.gz`);
  writeFileSync(file, await fetchProfile(`/debug/pprof/${name}`));
  execFileSync('go', ['tool', 'pprof', '-top', file], { encoding: 'utf8', stdio: 'pipe' });
}
console.log(failed === 0 ? 'go tool pprof opens all profiles and names functions of ours' : `${failed} profiles name none of ours`);
process.exitCode = failed === 0 ? 0 : 1;
