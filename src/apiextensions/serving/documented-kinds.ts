// Upstream: apiextensions-apiserver pkg/controller/openapiv3/controller.go
import type { CustomKind, JsonSchema } from '../../openapi/custom-kind.ts';
import type { CustomResourceDefinition } from '../definition/conditions.ts';
import { isConditionTrue } from '../definition/conditions.ts';
import { isStructural } from '../definition/validation-options.ts';

/** The served versions of a definition, as OpenAPI documents tell of them. */
export function documentedKinds(definition: CustomResourceDefinition, group: string): CustomKind[] {
  const { spec, status } = definition;
  if (spec.group !== group || !isConditionTrue(definition, 'Established')) return [];
  const { plural, kind, listKind = '' } = status.acceptedNames;
  return (spec.versions ?? [])
    .filter(({ served }) => served)
    .map(({ name, schema, subresources, selectableFields }) => {
      const own = schema?.openAPIV3Schema;
      return {
        group,
        version: name,
        plural,
        kind,
        listKind,
        namespaced: spec.scope === 'Namespaced',
        status: subresources?.status !== undefined,
        scale: subresources?.scale !== undefined,
        ...(own !== undefined && isStructural(own) && { schema: own as unknown as JsonSchema }),
        ...(spec.preserveUnknownFields === true && { preserveUnknownFields: true }),
        ...(selectableFields !== undefined && { selectableFields: selectableFields.map(({ jsonPath }) => jsonPath) }),
      };
    });
}
