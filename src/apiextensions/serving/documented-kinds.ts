// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/openapiv3/controller.go
import type { CustomKind, JsonSchema } from '../../openapi/custom-kind.ts';
import type { CustomResourceDefinition } from '../conditions/conditions.ts';
import { findCondition, isConditionTrue } from '../conditions/conditions.ts';
import { isStructural } from '../schema-validation/validation-options.ts';

/** The served versions of a definition, as OpenAPI documents tell of them. */
export function documentedKinds(definition: CustomResourceDefinition): CustomKind[] {
  const { spec, status } = definition;
  if (!isConditionTrue(definition, 'Established')) return [];
  // The condition tells of the definition as a whole; where it is, some versions may still be as they should.
  const allStructural = findCondition(definition, 'NonStructuralSchema') === undefined;
  const { plural, kind, listKind = '' } = status.acceptedNames;
  return (spec.versions ?? [])
    .filter(({ served }) => served)
    .map(({ name, schema, subresources, selectableFields }) => {
      const own = schema?.openAPIV3Schema;
      return {
        group: spec.group,
        version: name,
        plural,
        kind,
        listKind,
        namespaced: spec.scope === 'Namespaced',
        status: subresources?.status !== undefined,
        scale: subresources?.scale !== undefined,
        ...(own !== undefined && (allStructural || isStructural(own)) && { schema: own as JsonSchema }),
        ...(spec.preserveUnknownFields === true && { preserveUnknownFields: true }),
        ...(selectableFields !== undefined && { selectableFields: selectableFields.map(({ jsonPath }) => jsonPath) }),
      };
    });
}
