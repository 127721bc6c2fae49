import { templateOf } from '../../src/server/registry/stored-text.ts';
import { startApiServer } from '../../src/index.ts';
import { createMemoryStorage } from '../../src/storage/drivers/memory/memory-storage.ts';
import { RawClient } from '../../test/support/raw-client.ts';

export interface RbacObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const collection = '/apis/rbac.authorization.k8s.io/v1';

/** Templates of what a server stores when it creates these roles and bindings itself. */
export async function storedTemplates(objects: readonly RbacObject[]): Promise<string[]> {
  const storage = createMemoryStorage();
  await using server = await startApiServer({ storage });
  await using client = new RawClient(server);
  const templates: string[] = [];
  for (const object of objects) {
    const { name, namespace } = object.metadata;
    const plural = `${object.kind.toLowerCase()}s`;
    const path = `${collection}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}`;
    await client.call('DELETE', `${path}/${name}`);
    const { status, text } = await client.call('POST', `${path}?fieldManager=kube-apiserver`, { body: object });
    if (status !== 201) throw new Error(`${path} ${name}: ${text}`);
    const { kv } = await storage.get(`/registry/${plural}/${namespace === undefined ? '' : `${namespace}/`}${name}`);
    templates.push(templateOf(kv?.value.toString() ?? ''));
  }
  return templates;
}
