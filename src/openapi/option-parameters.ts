// Upstream: k8s.io/apiserver/pkg/endpoints/installer.go#AddObjectParams
// Fields of option types that can stand in a query.
import type { Parameter } from './route.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const core = 'io.k8s.api.core.v1';

type Letter = 's' | 'i' | 'b';
const types = { s: 'string', i: 'integer', b: 'boolean' } as const;

/** `name:type`; fields that are structs (preconditions, times) cannot be said in a query. */
const fields: Readonly<Record<string, readonly [pkg: string, fields: string]>> = {
  ListOptions: [
    meta,
    'labelSelector:s fieldSelector:s watch:b allowWatchBookmarks:b resourceVersion:s resourceVersionMatch:s timeoutSeconds:i limit:i continue:s sendInitialEvents:b shardSelector:s',
  ],
  GetOptions: [meta, 'resourceVersion:s'],
  CreateOptions: [meta, 'dryRun:s fieldManager:s fieldValidation:s'],
  UpdateOptions: [meta, 'dryRun:s fieldManager:s fieldValidation:s'],
  PatchOptions: [meta, 'dryRun:s force:b fieldManager:s fieldValidation:s'],
  DeleteOptions: [
    meta,
    'gracePeriodSeconds:i orphanDependents:b propagationPolicy:s dryRun:s ignoreStoreReadErrorWithClusterBreakingPotential:b',
  ],
  PodLogOptions: [
    core,
    'container:s follow:b previous:b sinceSeconds:i timestamps:b tailLines:i limitBytes:i insecureSkipTLSVerifyBackend:b stream:s',
  ],
  PodAttachOptions: [core, 'stdin:b stdout:b stderr:b tty:b container:s'],
  PodExecOptions: [core, 'stdin:b stdout:b stderr:b tty:b container:s command:s'],
  PodPortForwardOptions: [core, 'ports:i'],
  PodProxyOptions: [core, 'path:s'],
  NodeProxyOptions: [core, 'path:s'],
  ServiceProxyOptions: [core, 'path:s'],
};

export function optionParameters(kind: string): readonly Parameter[] {
  const row = fields[kind];
  if (row === undefined) return [];
  const [pkg, text] = row;
  return text.split(' ').map((field) => {
    const [name, letter] = field.split(':') as [string, Letter];
    return { name, in: 'query', type: types[letter], description: [`${pkg}.${kind}`, name] };
  });
}
