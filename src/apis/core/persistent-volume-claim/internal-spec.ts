// Upstream: k8s.io/apimachinery/pkg/util/diff/diff.go
import type { Type } from '../../../machinery/type-model.ts';
import type { PersistentVolumeClaimSpec } from '../../../schema/types/core-v1.ts';
import { internalValue } from '../../common/internal-value.ts';
import { unifiedDiff } from '../../common/unified-diff.ts';

/** What changed in a spec, line by line, in upstream's internal form. */
export function internalSpecDiff(old: PersistentVolumeClaimSpec, changed: PersistentVolumeClaimSpec, specType: Type): string {
  const printed = (spec: PersistentVolumeClaimSpec): string => JSON.stringify(internalValue(specType, spec), undefined, 1);
  return unifiedDiff(printed(old), printed(changed));
}
