// For tests: what hooks of a kind are given.
import type { GroupVersionKind } from '../../src/machinery/type-model.ts';
import { createSchema } from '../../src/schema/index.ts';
import { alwaysAllow } from '../../src/server/request/authorizer.ts';
import { ObjectReader } from '../../src/server/registry/object-reader.ts';
import type { WriteContext } from '../../src/server/registry/context.ts';
import type { Resource } from '../../src/server/registry/resource.ts';

export interface TestContext extends WriteContext {
  readonly warnings: readonly string[];
}

type Changes = Partial<WriteContext> & { readonly enabled?: boolean };

/** A write by an administrator, with every feature at the state given (default: all on), on a server without objects. */
export function testContext(changes: Changes = {}): TestContext {
  const { enabled = true, ...rest } = changes;
  const warnings: string[] = [];
  return {
    user: { name: 'admin', uid: '', groups: ['system:masters'], extra: {} },
    namespace: 'default',
    name: 'x',
    subresource: '',
    version: 'v1',
    dryRun: false,
    fieldManager: 'test',
    features: { enabled: () => enabled },
    capabilities: { allowPrivileged: true },
    authorizer: alwaysAllow,
    reader: new ObjectReader(() => undefined),
    now: '2026-01-02T03:04:05Z',
    warn: (text: string) => void warnings.push(text),
    ...rest,
    warnings,
  } as TestContext;
}

/** The same on a server that knows the type of one kind: for messages that show values as upstream's own types do. */
export function typedContext(gvk: GroupVersionKind, changes: Changes = {}): TestContext {
  const type = createSchema().typeOf(gvk);
  return testContext({ reader: new ObjectReader(() => ({ storage: { type } }) as unknown as Resource), ...changes });
}
