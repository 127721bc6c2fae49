// Upstream: k8s.io/apimachinery/pkg/util/managedfields/internal/conflict.go
import { applyConflict } from '../machinery/errors.ts';
import type { ApiError } from '../machinery/errors.ts';
import { goQuote } from '../machinery/go-format.ts';
import { formatPath } from './apply/field-set.ts';
import type { FieldConflict } from './apply/updater.ts';
import type { Manager } from './apply/managed-fields.ts';

/** The response to an apply that would take fields from others. */
export function conflictStatus(conflicts: readonly FieldConflict[]): ApiError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerName(manager)}`,
    field: formatPath(path),
  }));
  return applyConflict(causes, conflictMessage(conflicts));
}

function conflictMessage(conflicts: readonly FieldConflict[]): string {
  const [only] = conflicts;
  if (conflicts.length === 1) return `Apply failed with 1 conflict: conflict with ${managerName(only!.manager)}: ${formatPath(only!.path)}`;
  const lines: string[] = [];
  let last: string | undefined;
  for (const { manager, identifier, path } of conflicts) {
    if (identifier !== last) lines.push(`conflicts with ${managerName(manager)}:`);
    lines.push(`- ${formatPath(path)}`);
    last = identifier;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerName({ manager, subresource, operation, apiVersion }: Manager): string {
  const name = subresource === '' ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
