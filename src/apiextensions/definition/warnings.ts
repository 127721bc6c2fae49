// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition/strategy.go
import { goQuote } from '../../machinery/go-format.ts';
import { supportedFormat } from '../values/formats.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { internalSpec } from '../schema-validation/internal-form.ts';
import { itemSchema, schemasIn } from '../schema-validation/schema-walk.ts';

/** Parts of a definition that have no effect; on update only new ones. */
export function definitionWarnings(definition: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const before = new Set(old === undefined ? [] : warningsOf(old));
  return warningsOf(definition).filter((warning) => !before.has(warning));
}

function warningsOf({ spec }: CustomResourceDefinition): string[] {
  const { validation, versions } = internalSpec(spec);
  const schemas = [validation, ...versions.map(({ schema }) => schema)].flatMap((one) => schemasIn(one?.openAPIV3Schema));
  const formats = schemas
    .filter(({ format, type = '' }) => format && supportedFormat(format, type) === '')
    .map(({ format = '' }) => `unrecognized format ${goQuote(format)}`);
  const sets = schemas.flatMap((schema) => {
    const type = itemSchema(schema.items)?.type;
    if (schema['x-kubernetes-list-type'] !== 'set' || (type !== 'object' && type !== 'array')) return [];
    return [`x-kubernetes-list-type: set for items of type ${goQuote(type)} is not supported by server-side apply or CEL validation rules`];
  });
  return [...formats, ...[...new Set(sets)].sort()];
}
