// Upstream: k8s.io/apimachinery/pkg/util/diff/diff.go
import type { Type } from '../../../machinery/type-model.ts';
import type { PersistentVolumeSource } from '../../../schema/types/core-v1.ts';
import { internalValue } from '../../common/internal-value.ts';
import { unifiedDiff } from '../../common/unified-diff.ts';

/** What changed in the source of a volume, line by line, in upstream's internal form. Both may hold more than the source. */
export function internalSourceDiff(old: PersistentVolumeSource, changed: PersistentVolumeSource, specType: Type): string {
  const type = sourceType(specType);
  const printed = (source: PersistentVolumeSource): string => JSON.stringify(internalValue(type, source), undefined, 1);
  return unifiedDiff(printed(old), printed(changed));
}

/** The sources are a type of their own, whose fields stand among those of the spec. */
function sourceType(specType: Type): Type {
  const inlined = specType.kind === 'struct' ? specType.proto.find(({ field }) => isSource(field.type)) : undefined;
  if (inlined === undefined) throw new Error('the schema has no sources of volumes');
  return inlined.field.type;
}

function isSource(type: Type): boolean {
  return type.kind === 'struct' && type.name.endsWith('.PersistentVolumeSource');
}
