import type { KubeObject } from '../../machinery/kube-object.ts';
import { bootstrapObjects } from './bootstrap-objects.generated.ts';

/**
 * Templates of the JSON that is stored of objects that every cluster has, by what they are made of: to take each through defaults, managed fields, validation and
 * encoding, by code that has yet to be compiled, was a tenth of a first start. An object that is wanted otherwise has none.
 */
export function storedForms(): (group: string, plural: string, object: KubeObject, manager: string) => string | undefined {
  let forms: ReadonlyMap<string, string> | undefined;
  return (group, plural, object, manager) => {
    forms ??= new Map(bootstrapObjects.map(([place, given, template]) => [`${place} ${given}`, template]));
    return forms.get(`${placeOf(group, plural, manager)} ${JSON.stringify(object)}`);
  };
}

export function placeOf(group: string, plural: string, manager: string): string {
  return `${group}/${plural} by ${manager}`;
}
