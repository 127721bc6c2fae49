import { notFound } from '../../machinery/errors.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

/** An object that must be there. Quirk: what plugins of upstream look up themselves is missing by its singular name. */
export async function existing<T extends KubeObject>(
  reader: ObjectReader,
  group: string,
  singular: string,
  namespace: string,
  name: string,
): Promise<T> {
  const object = name === '' ? undefined : await reader.get<T>(group, `${singular}s`, namespace, name);
  if (object === undefined) throw notFound({ group, resource: singular }, name);
  return object;
}
