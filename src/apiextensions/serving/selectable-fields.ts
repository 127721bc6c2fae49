// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresource/strategy.go, k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/converter.go
import type { SelectableField } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject, ResourceDefinition } from '../../server/registry/definition.ts';
import { parseJsonPath } from '../../table/jsonpath.ts';
import { encodeForText } from './text.ts';

/** Fields of a version that lists can be selected by; a value that is missing is the empty string. */
export function selectableFields(fields: readonly SelectableField[]): Pick<ResourceDefinition, 'selectableFields' | 'unknownFieldLabel'> {
  const extractors = fields.map(({ jsonPath }) => {
    const path = parseJsonPath(jsonPath);
    const value = (object: KubeObject): string => {
      const found = path.find(object)[0];
      return found === undefined || found === null ? '' : encodeForText(found);
    };
    return [jsonPath.startsWith('.') ? jsonPath.slice(1) : jsonPath, value] as const;
  });
  return {
    ...(fields.length > 0 && { selectableFields: Object.fromEntries(extractors) }),
    unknownFieldLabel: (label) => `field label not supported: ${label}`,
  };
}
