// Writes the default RBAC roles and bindings, as data, from the policy that Kubernetes publishes with its tests.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';

const module = 'k8s.io/kubernetes@v1.37.1';
const { Dir: directory } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' })) as { Dir: string };
const sources = [
  'cluster-roles',
  'controller-roles',
  'cluster-role-bindings',
  'controller-role-bindings',
  'namespace-roles',
  'namespace-role-bindings',
];

interface PolicyObject {
  apiVersion?: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: object; annotations?: object; creationTimestamp?: unknown };
}

const objects = sources.flatMap((name) => {
  const path = `${directory}/plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata/${name}.yaml`;
  const { items } = load(readFileSync(path, 'utf8')) as { items: PolicyObject[] };
  return items.map(({ apiVersion: _, metadata: { creationTimestamp: __, ...metadata }, ...rest }) => ({ ...rest, metadata }));
});
const lines = objects.map((object) => JSON.stringify(object)).join(',\n');
writeFileSync(
  new URL('../../src/controlplane/bootstrap/rbac-policy.generated.ts', import.meta.url),
  `// Made by \`npm run generate\`; do not edit.\nexport const rbacPolicy = ${'`'}[${lines.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}]${'`'};\n`,
);
console.log(`${objects.length} roles and bindings`);
