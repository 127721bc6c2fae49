// Upstream: k8s.io/kubernetes/test/integration/etcd/data.go
// Read at run time, never copied.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An object that every server must be able to store, and where in etcd it must lie. */
export interface Stub {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly object: StubObject;
  readonly key: string;
}

export interface StubObject {
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

const entry = /gvr\("([^"]*)", "([^"]*)", "([^"]*)"\): \{\s*Stub:\s*([^\n]*),\n([\s\S]*?)\n\t\t\}/g;

/** The stubs of upstream's own storage test, for objects in `namespace`. */
export function readStubs(kubernetesModule: string, namespace: string): Stub[] {
  const source = readFileSync(join(kubernetesModule, 'test/integration/etcd/data.go'), 'utf8');
  const variables: Record<string, string> = { namespace, image: 'example.com/image:1', alternateImage: 'example.com/image:2' };
  return [...source.matchAll(entry)].map(([, group = '', version = '', resource = '', stub = '', rest = '']) => {
    const path = /ExpectedEtcdPath:\s*([^\n]*),\n/.exec(`${rest}\n`)?.[1] ?? '""';
    return { group, version, resource, object: JSON.parse(evaluate(stub, variables)) as StubObject, key: evaluate(path, variables) };
  });
}

/** A Go expression that joins literals and variables. */
function evaluate(expression: string, variables: Readonly<Record<string, string>>): string {
  return [...expression.matchAll(/`([^`]*)`|"([^"]*)"|(\w+)/g)]
    .map(([, raw, quoted, name]) => raw ?? quoted ?? variables[name as string] ?? '')
    .join('');
}
