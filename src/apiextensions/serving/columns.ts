// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor/tableconvertor.go
import { encodeForText } from './text.ts';
import type { CustomResourceColumnDefinition } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Cell, Column } from '../../table/column.ts';
import { age, createdAtColumn } from '../../table/common-columns.ts';
import type { JsonPath } from '../../table/jsonpath.ts';
import { JsonPathBudget, JsonPathError, parseJsonPath } from '../../table/jsonpath.ts';
import type { TableClock } from '../../table/table-clock.ts';

const ageOnly: CustomResourceColumnDefinition = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Columns of a version; a path that cannot be read ends them, as by upstream. */
export function customColumns(definitions: readonly CustomResourceColumnDefinition[] | undefined): Column<KubeObject>[] {
  if (definitions === undefined || definitions.length === 0) {
    return [{ ...columnOf(ageOnly, parseJsonPath(ageOnly.jsonPath), new WeakMap()), description: createdAtColumn.description ?? '' }];
  }
  const columns: Column<KubeObject>[] = [];
  const budgets: Budgets = new WeakMap();
  for (const definition of definitions) {
    const path = readPath(definition.jsonPath);
    if (path === undefined) break;
    columns.push(columnOf(definition, path, budgets));
  }
  return columns;
}

function readPath(text: string): JsonPath | undefined {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** What the columns of a row may look at together. */
type Budgets = WeakMap<KubeObject, JsonPathBudget>;

function columnOf(definition: CustomResourceColumnDefinition, path: JsonPath, budgets: Budgets): Column<KubeObject> {
  const { name, type, format, description, priority, jsonPath } = definition;
  return {
    name,
    type: type as Column<KubeObject>['type'],
    ...(format !== undefined && { format }),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(priority !== undefined && { priority }),
    cell: (object, clock) => {
      let budget = budgets.get(object);
      if (budget === undefined) budgets.set(object, (budget = new JsonPathBudget()));
      const found = firstResult(path, object, budget);
      const cell = found === undefined ? null : cellOf(type, found, clock);
      if (typeof cell === 'string') budget.charge(cell.length);
      return cell;
    },
  };
}

/** What cannot be followed shows as nothing. */
function firstResult(path: JsonPath, object: KubeObject, budget: JsonPathBudget): unknown {
  try {
    return path.find(object, budget)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function cellOf(type: string, value: unknown, clock: TableClock): Cell {
  if (type === 'string') return encodeForText(value);
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' ? value : typeof value === 'number' ? int64Of(value) : null;
    case 'number':
      return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, clock) : null;
    default:
      return null;
  }
}

/** A quirk kept: Go makes the least number of all that are out of range. */
function int64Of(value: number): number | bigint {
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2n ** 63n);
}

function dateCell(value: string, clock: TableClock): Cell {
  const isTime = value === '' || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);
  return isTime && (value === '' || !Number.isNaN(Date.parse(value))) ? age(value, clock) : '<invalid>';
}
