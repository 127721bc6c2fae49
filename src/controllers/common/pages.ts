import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from './client.ts';

const pageSize = 500;

/** The objects of a list, some at a time: all of them at once may take long to read. The path has no query. */
export async function* pagesOf<T extends KubeObject = KubeObject>(
  client: Pick<Client, 'get'>,
  path: string,
  accept?: string,
): AsyncGenerator<readonly T[]> {
  let next = '';
  do {
    const query = new URLSearchParams({ limit: String(pageSize), ...(next !== '' && { continue: next }) });
    const page = (await client.get(`${path}?${query}`, accept)) as {
      readonly metadata: { readonly continue?: string };
      readonly items?: readonly T[] | null;
    };
    yield page.items ?? [];
    next = page.metadata.continue ?? '';
  } while (next !== '');
}
