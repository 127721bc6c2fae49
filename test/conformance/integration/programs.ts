/** Upstream's integration tests, built so that they start an executable in place of a server inside their own process. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { moduleFolder } from '../../../tools/go-module.ts';
import { kubernetesModule, kubernetesRelease, publishedModule } from '../../../tools/kubernetes-release.ts';
import { stagingReplacements } from '../../../tools/staging-replacements.ts';
import { referenceFolder } from '../../servers/reference-binaries.ts';

export interface TestPackage {
  /** below test/integration */
  readonly name: string;
  readonly program: string;
  /** where its tests look for their files */
  readonly folder: string;
  readonly importPath: string;
  /** which of the two modules it belongs to */
  readonly of: Module;
}

interface Module {
  /** with the go.mod to build in */
  readonly folder: string;
  readonly overlay: string;
  readonly sources: readonly string[];
}

const overlay = join(import.meta.dirname, 'overlay');
/** Without an API server to judge, or with a scheduler, a kubelet or minutes of load beside it. */
const leftOut =
  /^(benchmark|scheduler|scheduler_perf(\/.*)?|scheduler\/.*|volumescheduling|ipamperf|kubelet|openshift|logs(\/.*)?|examples|util|authutil|framework|controllermanager|cloudprovider|staleness|dra(\/.*)?)$/;

/** All packages with tests, none of them built yet. Everything lies in the cache beside upstream's programs. */
export async function integrationPackages(): Promise<readonly TestPackage[]> {
  const cache = join(referenceFolder(), '../suites/integration');
  mkdirSync(join(cache, 'bin'), { recursive: true });
  // Go replaces no file inside of its module cache, but takes a link to it for another folder.
  const kubernetes = linked(join(cache, 'src'), await moduleFolder(kubernetesModule));
  const extensions = linked(join(cache, 'src-apiextensions'), await moduleFolder(publishedModule('k8s.io/apiextensions-apiserver')));
  const generated = join(cache, 'generated');
  const key = signingKey(kubernetes, generated);
  const started = (root: string, path: string, name: string): readonly [string, string] => [
    join(root, path),
    renamed(join(root, path), join(generated, path.replaceAll('/', '_')), name),
  ];
  const added = (root: string, folder: string, files: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(files).map(([file, ours]) => [join(root, folder, file), join(overlay, ours)]);
  const main = await moduleOf(cache, 'mod', `k8s.io/kubernetes => ${kubernetes}`, [
    ...added(kubernetes, 'test/integration/external', { 'process.go': 'process.go', 'gates.go': 'gates.go', 'args.go': 'args.go' }),
    [join(kubernetes, 'test/integration/external/key.go'), key],
    ...added(kubernetes, 'cmd/kube-apiserver/app/testing', { 'external.go': 'testserver.go' }),
    ...added(kubernetes, 'test/integration/framework', { 'external.go': 'framework.go' }),
    ...added(kubernetes, 'test/integration/etcd', { 'external.go': 'etcd.go' }),
    started(kubernetes, 'cmd/kube-apiserver/app/testing/testserver.go', 'StartTestServer'),
    started(kubernetes, 'test/integration/framework/test_server.go', 'StartTestServer'),
    started(kubernetes, 'test/integration/framework/goleak.go', 'goleakFindRetry'),
    started(kubernetes, 'test/integration/etcd/server.go', 'StartRealAPIServerOrDie'),
  ]);
  const ofExtensions = await moduleOf(cache, 'mod-apiextensions', `k8s.io/apiextensions-apiserver => ${extensions}`, [
    ...added(extensions, 'test/integration/external', { 'process.go': 'process.go', 'gates.go': 'gates.go' }),
    [join(extensions, 'test/integration/external/key.go'), key],
    ...added(extensions, 'pkg/cmd/server/testing', { 'external.go': 'apiextensions.go' }),
    started(extensions, 'pkg/cmd/server/testing/testserver.go', 'StartTestServer'),
  ]);
  const tree = repository(join(cache, 'tree'), kubernetes);
  const program = (name: string): string => join(cache, 'bin', `${name.replaceAll('/', '_')}.test`);
  return [
    ...withTests(kubernetes, 'test/integration')
      .map((path) => ({ path, name: path.slice('test/integration/'.length) }))
      .filter(({ name }) => !leftOut.test(name))
      .map(({ path, name }) => ({
        name,
        program: program(name),
        folder: join(tree, path),
        importPath: `k8s.io/kubernetes/${path}`,
        of: main,
      })),
    ...['apiextensions', 'apiextensions/conversion'].map((name) => {
      const path = name.replace('apiextensions', 'test/integration');
      const importPath = `k8s.io/apiextensions-apiserver/${path}`;
      return { name, program: program(name), folder: join(extensions, path), importPath, of: ofExtensions };
    }),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** One to two minutes on two cores; nothing where it is newer than our parts of it. */
export function buildTests({ program, importPath, of }: TestPackage): void {
  const newest = Math.max(...of.sources.map((source) => statSync(source).mtimeMs));
  if (existsSync(program) && statSync(program).mtimeMs > newest) return;
  execFileSync('go', ['test', '-mod=mod', '-vet=off', '-ldflags=-s -w', '-overlay', of.overlay, '-c', '-o', program, importPath], {
    cwd: of.folder,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function linked(path: string, target: string): string {
  if (!existsSync(path)) symlinkSync(target, path);
  return path;
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  return path;
}

/** Upstream's file with the function that ours takes the place of under another name. */
function renamed(path: string, as: string, name: string): string {
  const text = readFileSync(path, 'utf8');
  const declared = `\nfunc ${name}(`;
  if (!text.includes(declared)) throw new Error(`${path} is not as it was: no ${name}`);
  return write(as, text.replace(declared, `\nfunc ${name}InProcess(`));
}

/** What upstream's tests sign tokens of service accounts with, read from where they have it. */
function signingKey(kubernetes: string, generated: string): string {
  const text = readFileSync(join(kubernetes, 'cmd/kube-apiserver/app/testing/testserver.go'), 'utf8');
  const key = /-{5}BEGIN EC PRIVATE KEY-{5}[^`]*/.exec(text)?.[0];
  if (key === undefined) throw new Error("upstream's test server has no key for tokens of service accounts any more");
  const comment = '// ServiceAccountKey signs the tokens of service accounts.';
  return write(join(generated, 'key.go'), `package external\n\n${comment}\nconst ServiceAccountKey = \`${key}\`\n`);
}

async function moduleOf(cache: string, name: string, replaced: string, files: readonly (readonly [string, string])[]): Promise<Module> {
  const folder = join(cache, name);
  const goMod = join(folder, 'go.mod');
  // Go adds what it finds to be required: written once.
  if (!existsSync(goMod)) {
    const own = `replace ${replaced}\n`;
    const others = (await stagingReplacements()).split('\n').filter((line) => !line.startsWith(`replace ${replaced.split(' ')[0]} `));
    // With upstream's version of Go, what its go.mod lists is all that is looked at.
    const go = /^go .*$/m.exec(readFileSync(join(await moduleFolder(kubernetesModule), 'go.mod'), 'utf8'))?.[0] ?? '';
    write(goMod, `module integration\n\n${go}\n\nrequire k8s.io/kubernetes ${kubernetesRelease.version}\n\n${own}${others.join('\n')}`);
  }
  const replacements = JSON.stringify({ Replace: Object.fromEntries(files) }, undefined, 1);
  return { folder, overlay: write(join(cache, `${name}.json`), replacements), sources: files.map(([, ours]) => ours) };
}

/** The layout of upstream's repository: some tests look for files of other folders and of modules that are published from it. */
function repository(tree: string, kubernetes: string): string {
  if (existsSync(tree)) return tree;
  const made = `${tree}.${process.pid}`;
  const real = realpathSync(kubernetes);
  const mirror = (path: string): void => {
    mkdirSync(join(made, path), { recursive: true });
    for (const entry of readdirSync(join(real, path), { withFileTypes: true })) {
      const at = join(path, entry.name);
      if (entry.isDirectory() && /^(test|staging|test\/integration(\/.*)?)$/.test(at)) mirror(at);
      else if (/^test.*(?<!not-executable)\.sh$/.test(at)) {
        copyFileSync(join(real, at), join(made, at));
        // Modules keep no modes.
        chmodSync(join(made, at), 0o755);
      } else symlinkSync(join(real, at), join(made, at));
    }
  };
  mirror('');
  const modules = dirname(real);
  mkdirSync(join(made, 'staging/src/k8s.io'), { recursive: true });
  for (const name of readdirSync(modules)) {
    const [of = '', version] = name.split('@');
    if (version === kubernetesRelease.modules) symlinkSync(join(modules, name), join(made, 'staging/src/k8s.io', of));
  }
  renameSync(made, tree);
  return tree;
}

function withTests(root: string, path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testdata')
    .flatMap(({ name }) => {
      const below = `${path}/${name}`;
      const hasTests = readdirSync(join(root, below)).some((file) => file.endsWith('_test.go'));
      return [...(hasTests ? [below] : []), ...withTests(root, below)];
    });
}
