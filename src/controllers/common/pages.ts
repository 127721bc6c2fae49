import { append } from '../../machinery/append.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from './client.ts';

/** As many as informers read: a page is parsed in one go. */
const defaultPageSize = 250;

export interface PagesOptions {
  /** media type of the list; default JSON */
  readonly accept?: string;
  /** how many objects; 250 unless they are large */
  readonly pageSize?: number;
}

/** The objects of a list, some at a time: all of them at once may take long to read. The path may have a query. */
export async function* pagesOf<T extends KubeObject = KubeObject>(
  client: Pick<Client, 'get'>,
  path: string,
  { accept, pageSize = defaultPageSize }: PagesOptions = {},
): AsyncGenerator<readonly T[]> {
  const query = new URLSearchParams({ limit: String(pageSize) });
  for (;;) {
    const { metadata, items } = (await client.get(`${path}${path.includes('?') ? '&' : '?'}${query}`, accept)) as {
      readonly metadata: { readonly continue?: string };
      readonly items?: readonly T[] | null;
    };
    yield items ?? [];
    if (!metadata.continue) return;
    query.set('continue', metadata.continue);
  }
}

/** All objects of a list, read in pages. */
export async function listOf<T extends KubeObject = KubeObject>(
  client: Pick<Client, 'get'>,
  path: string,
  options?: PagesOptions,
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pagesOf<T>(client, path, options)) append(all, page);
  return all;
}
