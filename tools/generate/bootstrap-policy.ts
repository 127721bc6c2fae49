// Writes the default RBAC roles and bindings, as a server stores them, from the policy that Kubernetes publishes with its tests.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { moduleFolder } from '../go-module.ts';
import { kubernetesModule } from '../kubernetes-release.ts';
import { storedTemplates } from './stored-objects.ts';

const directory = await moduleFolder(kubernetesModule);
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
const lines = (await storedTemplates(objects)).join(',\n');
writeFileSync(
  new URL('../../src/controlplane/bootstrap/rbac-policy.generated.ts', import.meta.url),
  `// Made by \`npm run generate\`; do not edit.\nexport const rbacPolicy = ${'`'}[${lines.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}]${'`'};\n`,
);
console.log(`${objects.length} roles and bindings`);
