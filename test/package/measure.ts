import { spawnSync } from 'node:child_process';

/** Importing, starting, the first create and stopping. */
const script = (from: string, start: string): string => `
const times = [performance.now()];
const { ${start} } = await import('${from}');
times.push(performance.now());
const server = await ${start}();
times.push(performance.now());
const { call } = await import('./call.cjs');
const { status } = await call(server, 'POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
if (status !== 201) throw new Error('status ' + status);
times.push(performance.now());
await server.stop();
times.push(performance.now());
console.log(JSON.stringify(times.slice(1).map((time, at) => time - times[at])));
`;

const names = ['import', 'start', 'first create', 'stop'];

const testServer = script('wheelhouse/testing', 'startTestServer');
/** without controllers, whose namespaces are yet to be furnished */
export const bareServer = script('wheelhouse', 'startApiServer');

/** What importing, starting, the first create and stopping take in a new process, in milliseconds. */
export function times(node: string, project: string, code = testServer): number[] {
  const { stdout, stderr } = spawnSync(node, ['--input-type=module', '--eval', code], {
    cwd: project,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as number[];
}

export function medians(rounds: readonly (readonly number[])[]): string {
  const median = (at: number): number =>
    Math.round(rounds.map((parts) => parts[at] ?? 0).toSorted((a, b) => a - b)[rounds.length >> 1] ?? 0);
  return names.map((name, at) => `${name} ${median(at)}`).join(', ');
}
