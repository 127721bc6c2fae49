// npm test: everything that must hold before a change goes in. Arguments that are given name the test files to run instead.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

const checks: readonly Step[] = [
  { name: 'format', command: [bin('oxfmt'), '--check', 'src', 'tools', 'test'] },
  { name: 'lint', command: [bin('oxlint'), 'src', 'tools', 'test'] },
  { name: 'types', command: [bin('tsc'), '-p', '.'] },
  { name: 'check', command: [process.execPath, 'tools/check/main.ts'] },
];

/** Files that start processes or load the machine: each in a process of its own, where they cannot hurt the others. */
const heavy = /^src\/cli\/command\.test\.ts$|^src\/storage\/drivers\/embedded\/|^src\/base\/grpc\//;

/** A folder below test/ with a main.ts has its own command, since it needs something that a fresh clone does not have. */
function testFiles(): string[] {
  return ['src', 'tools', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .filter((file) => folder !== 'test' || !existsSync(join(root, folder, file.split('/')[0] as string, 'main.ts')))
      .map((file) => join(folder, file)),
  );
}

/** Output is held back until the step has ended, and shown when it failed. */
async function runStep({ name, command: [program = '', ...args] }: Step, show: 'always' | 'on-failure'): Promise<boolean> {
  const started = performance.now();
  const child = spawn(program, args, { cwd: root, stdio: show === 'always' ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (output += part));
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (output += part));
  const good = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      output += `${error.message}\n`;
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  if (!good) process.stdout.write(output);
  console.log(`${good ? '✔' : '✖'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  return good;
}

const reporter = ['--test-reporter=./tools/test-reporter.ts', '--test-reporter-destination=stdout'];
/** A test that waits in vain fails; so does a run whose process does not end by itself (test-reporter.ts). */
const limits = ['--test-timeout=180000'];

function testStep(name: string, isolation: 'none' | 'process', files: readonly string[]): Step {
  const concurrency = isolation === 'process' ? ['--test-concurrency=2'] : [];
  return {
    name: `${name}: ${files.length} files`,
    command: [process.execPath, '--test', `--test-isolation=${isolation}`, ...concurrency, ...limits, ...reporter, ...files],
  };
}

const started = performance.now();
const asked = process.argv.slice(2).map((file) => relative(root, join(process.cwd(), file)));
const failed: string[] = [];
const run = async (step: Step, show: 'always' | 'on-failure'): Promise<void> => {
  if (!(await runStep(step, show))) failed.push(step.name);
};

if (asked.length === 0) {
  console.log('checks');
  await Promise.all(
    [0, 1].map(async (lane) => {
      for (const [index, step] of checks.entries()) if (index % 2 === lane) await run(step, 'on-failure');
    }),
  );
}
const files = asked.length > 0 ? asked : testFiles();
const light = files.filter((file) => !heavy.test(file));
// Two processes for two cores.
const halves = light.length < 10 ? [light] : [0, 1].map((half) => light.filter((_, index) => index % 2 === half));
for (const [name, isolation, groups] of [
  ['unit tests', 'none', halves],
  ['tests in processes of their own', 'process', [files.filter((file) => heavy.test(file))]],
] as const) {
  const some = groups.filter((group) => group.length > 0);
  if (some.length === 0) continue;
  console.log(name);
  await Promise.all(some.map((group) => run(testStep(name, isolation, group), 'always')));
}
console.log(
  `\n${failed.length === 0 ? 'all good' : `failed: ${failed.join(', ')}`} after ${Math.round((performance.now() - started) / 1000)} s`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
