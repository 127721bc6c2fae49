import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parseBreadcrumbs } from './breadcrumbs.ts';
import { check } from './main.ts';

type Files = Readonly<Record<string, string>>;

function checked(files: Files): string[] {
  const root = mkdtempSync(join(tmpdir(), 'check-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return check(root).violations.map(({ rule, path, line }) => `${rule} ${path}:${line}`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** A tree in which nothing is wrong; each case adds or replaces files. */
const clean: Files = {
  'src/base/clock.ts': 'export const clock = 1;\n',
  'src/machinery/meta.ts':
    "import { clock } from '../base/clock.ts';\nexport const meta: ReadonlyMap<string, number> = new Map([['a', clock]]);\n",
  'src/apis/core/pod/definition.ts': "import { shared } from '../../common/shared.ts';\nexport const pods = shared;\n",
  'src/apis/common/shared.ts': 'export const shared = {};\nexport function f(): void {\n  let inside = 1;\n  inside++;\n}\n'.replace(
    '= {};',
    '= { a: 1 };',
  ),
  'src/plugins/one/plugin.ts': 'export const one = 1;\n',
  'src/controlplane/lists.ts':
    "import { pods } from '../apis/core/pod/definition.ts';\nimport { one } from '../plugins/one/plugin.ts';\nexport const all = [pods, one];\n",
  'src/machinery/meta.test.ts': "import 'node:fs';\nimport '../controlplane/lists.ts';\nlet count = 0;\ncount++;\n",
};

test('an import of node:http is found, one of its types is not', () => {
  const files = {
    ...clean,
    'src/base/one.ts': "import { STATUS_CODES } from 'node:http';\nexport const codes = STATUS_CODES;\n",
    'src/base/other.ts': "import type { Agent } from 'node:http';\nexport type Any = Agent;\n",
  };
  assert.deepEqual(checked(files), ['http-import src/base/one.ts:1']);
});

test('every script is in the table of suites, and every program in a script', () => {
  const files = {
    ...clean,
    'package.json': '{ "scripts": { "test": "x", "test:a": "sh tools/with-node test/a.ts", "test:b": "sh test/b.ts" } }',
    'test/README.md': '| `npm run test:a` | x |\n| `npm run test:c` | x |\n',
    'test/a.ts': 'export const a = 1;\n',
    'test/lost.ts': 'export const lost = 1;\n',
  };
  assert.deepEqual(checked(files), ['suites package.json:1', 'suites test/README.md:1', 'suites test/lost.ts:1']);
});

test('a clean tree has no violations', () => {
  assert.deepEqual(checked(clean), []);
});

const word = 'TO' + 'DO';
const planted: readonly (readonly [name: string, files: Files, expected: string])[] = [
  ['an import that goes up', { 'src/base/up.ts': "import '../machinery/meta.ts';\n" }, 'layers src/base/up.ts:1'],
  ['a type import that goes up', { 'src/base/up.ts': "\nimport type { A } from '../machinery/meta.ts';\n" }, 'layers src/base/up.ts:2'],
  [
    'a dynamic import that goes up',
    { 'src/base/up.ts': "export const f = () => import('../machinery/meta.ts');\n" },
    'layers src/base/up.ts:1',
  ],
  ['a re-export that goes up', { 'src/base/up.ts': "export * from '../machinery/meta.ts';\n" }, 'layers src/base/up.ts:1'],
  [
    'an import of a folder of the same layer',
    { 'src/cel/a.ts': "import '../patch/b.ts';\n", 'src/patch/b.ts': '' },
    'layers src/cel/a.ts:1',
  ],
  ['an import out of src', { 'src/base/out.ts': "import '../../tools/x.ts';\n", 'tools/x.ts': '' }, 'layers src/base/out.ts:1'],
  [
    'a type import that goes up inside src/server',
    { 'src/server/http/a.ts': "import type { User } from '../request/user.ts';\n", 'src/server/request/user.ts': '' },
    'layers src/server/http/a.ts:1',
  ],
  [
    'an import of the folder beside it inside src/server',
    { 'src/server/access/authn/a.ts': "\nimport '../authz/b.ts';\n", 'src/server/access/authz/b.ts': '' },
    'layers src/server/access/authn/a.ts:2',
  ],
  ['a folder of src/server that is in no layer', { 'src/server/other/a.ts': '' }, 'layers src/server/other/a.ts:1'],
  [
    'folders that know each other by types alone',
    {
      'src/cel/a.ts': "import type { B } from './one/b.ts';\n",
      'src/cel/one/b.ts': "import type { C } from '../two/c.ts';\n",
      'src/cel/two/c.ts': "\nimport type { A } from '../a.ts';\n",
    },
    'folder-cycles src/cel/two/c.ts:2',
  ],
  ['a folder that is in no layer', { 'src/other/a.ts': '' }, 'layers src/other/a.ts:1'],
  ['a list spread into a call', { 'src/apis/common/a.ts': 'list.push(\n  ...more,\n);\n' }, 'spreads src/apis/common/a.ts:1'],
  ['a cycle', { 'src/base/a.ts': "import './b.ts';\n", 'src/base/b.ts': "import './a.ts';\n" }, 'cycles src/base/b.ts:1'],
  [
    'a leaf that imports a leaf',
    { 'src/plugins/one/plugin.ts': "import '../two/thing.ts';\n", 'src/plugins/two/thing.ts': '' },
    'leaves-alone src/plugins/one/plugin.ts:1',
  ],
  [
    'a driver that imports a driver',
    { 'src/storage/drivers/a/a.ts': "import '../b/b.ts';\n", 'src/storage/drivers/b/b.ts': '' },
    'leaves-alone src/storage/drivers/a/a.ts:1',
  ],
  ['a leaf in no list', { 'src/apis/core/secret/definition.ts': '' }, 'leaves-listed src/apis/core/secret/definition.ts:1'],
  [
    'a leaf in two lists',
    { 'src/controlplane/more.ts': "import '../plugins/one/plugin.ts';\n" },
    'leaves-listed src/plugins/one/plugin.ts:1',
  ],
  ['node in a neutral folder', { 'src/cel/a.ts': "import { x } from 'node:fs';\n" }, 'runtime-neutral src/cel/a.ts:1'],
  ['a module-level let', { 'src/base/a.ts': 'export let count = 0;\n' }, 'module-state src/base/a.ts:1'],
  ['an empty module-level map', { 'src/base/a.ts': 'const cache = new Map<string, number>();\n' }, 'module-state src/base/a.ts:1'],
  ['a module-level map of a mutable type', { 'src/base/a.ts': 'const table = new Map([[1, 2]]);\n' }, 'module-state src/base/a.ts:1'],
  ['a module-level WeakMap', { 'src/base/a.ts': 'const cache: X = new WeakMap();\n' }, 'module-state src/base/a.ts:1'],
  ['an empty module-level array', { 'src/base/a.ts': 'const list: string[] = [];\n' }, 'module-state src/base/a.ts:1'],
  ['an empty module-level record', { 'src/base/a.ts': 'const table: Record<string, number> = {};\n' }, 'module-state src/base/a.ts:1'],
  ['a static field that can change', { 'src/base/a.ts': 'class A {\n  static count = 0;\n}\n' }, 'module-state src/base/a.ts:2'],
  ['a file that is too long', { 'src/base/a.ts': '\n'.repeat(701) }, 'file-shape src/base/a.ts:700'],
  ['a name that is not kebab-case', { 'src/base/twoWords.ts': '' }, 'file-shape src/base/twoWords.ts:1'],
  ['a vague name', { 'src/base/utils.ts': '' }, 'file-shape src/base/utils.ts:1'],
  ['test support among production files', { 'src/base/test-clock.ts': '' }, 'test-support src/base/test-clock.ts:1'],
  ['a production file that asserts', { 'src/base/a.ts': "import assert from 'node:assert/strict';\n" }, 'test-support src/base/a.ts:1'],
  ['a production file that imports a test', { 'src/machinery/a.ts': "\nimport './meta.test.ts';\n" }, 'test-support src/machinery/a.ts:2'],
  [
    'a production file that imports a suite of behaviour',
    { 'src/storage/a.ts': "import './behaviour/suite.ts';\n", 'src/storage/behaviour/suite.ts': "import 'node:test';\n" },
    'test-support src/storage/a.ts:1',
  ],
  [
    'a production file that imports test support',
    { 'src/base/a.ts': "import '../../test/support/clock.ts';\n", 'test/support/clock.ts': '' },
    'test-support src/base/a.ts:1',
  ],
  ['a breadcrumb without a module', { 'src/base/a.ts': '// Upstream: pkg/util/a.go\n' }, 'breadcrumbs src/base/a.ts:1'],
  ['a breadcrumb with a remark', { 'src/base/a.ts': '\n// Upstream: std/net/url, whose texts show\n' }, 'breadcrumbs src/base/a.ts:2'],
  ['a breadcrumb in other words', { 'src/base/a.ts': '/** upstream: k8s.io/api/core/v1/types.go */\n' }, 'breadcrumbs src/base/a.ts:1'],
  ['a symbol of no file', { 'src/base/a.ts': '// Upstream: k8s.io/api/core/v1/types.go, #Pod\n' }, 'breadcrumbs src/base/a.ts:1'],
  ['a constant in capitals', { 'src/base/a.ts': '\nconst MAX_SIZE = 1;\n' }, 'spelling src/base/a.ts:2'],
  [
    'a private member that only types protect',
    { 'src/base/a.ts': 'class A {\n  private readonly b = 1;\n}\n' },
    'spelling src/base/a.ts:2',
  ],
  ['a type among imported values', { 'src/base/a.ts': "import { clock, type Clock } from './clock.ts';\n" }, 'spelling src/base/a.ts:1'],
  ['a comment about an unnamed part', { 'src/base/a.ts': '// for somebody\n' }, 'spelling src/base/a.ts:1'],
  ['a comment that says answer', { 'src/base/a.ts': '/**\n * What it answers.\n */\n' }, 'spelling src/base/a.ts:2'],
  ['unfinished work', { 'src/base/a.ts': `// ${word}: later\n` }, 'file-shape src/base/a.ts:1'],
];

for (const [name, files, expected] of planted) {
  test(`${name} is found`, () => {
    assert.ok(checked({ ...clean, ...files }).includes(expected), checked({ ...clean, ...files }).join('\n') || 'nothing was found');
  });
}

test('generated files and tables of cases may be long', () => {
  assert.deepEqual(checked({ ...clean, 'src/base/big.cases.ts': '\n'.repeat(701), 'src/schema/generated/a.ts': '\n'.repeat(701) }), []);
});

test('breadcrumbs name places and their symbols', () => {
  const line = '// Upstream: k8s.io/api/core/{v1,v2}/*.go#Pod, #Pod.Spec, std/net/url';
  assert.deepEqual(parseBreadcrumbs(line), [
    { place: 'k8s.io/api/core/{v1,v2}/*.go', symbols: ['Pod', 'Pod.Spec'] },
    { place: 'std/net/url', symbols: [] },
  ]);
});
