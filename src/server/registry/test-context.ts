// For tests: what hooks of a kind are given.
import { alwaysAllow } from '../authz/authorizer.ts';
import { Cluster } from './cluster.ts';
import type { WriteContext } from './context.ts';

export interface TestContext extends WriteContext {
  readonly warnings: readonly string[];
}

/** A write by an administrator, with every feature at the state given (default: all on), on a server without objects. */
export function testContext(changes: Partial<WriteContext> & { readonly enabled?: boolean } = {}): TestContext {
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
    authorizer: alwaysAllow,
    cluster: new Cluster(() => undefined),
    now: '2026-01-02T03:04:05Z',
    warn: (text: string) => void warnings.push(text),
    ...rest,
    warnings,
  } as TestContext;
}
