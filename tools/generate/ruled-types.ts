import type { StructType, Type } from '../../src/machinery/type-model.ts';
import { parseMarkers } from '../../src/schema/declarative/marker.ts';
import type { Marker } from '../../src/schema/declarative/marker.ts';
import { createSchema } from '../../src/schema/index.ts';
import type { Table } from '../../src/schema/table-format.ts';

/** Markers that never find fault with an object by themselves. */
const harmless: ReadonlySet<string> = new Set([
  'optional',
  'listMapKey',
  'opaqueType',
  'customUnique',
  'modeDiscriminator',
  'supportsSubresource',
  'isSubresource',
]);

/** The tables with the names of those structs that, or whose parts, have a rule that may be binding. A server never walks the others. */
export function withRuledTypes(tables: readonly Table[]): Table[] {
  const schema = createSchema(tables.map((table) => ({ ...table, text: JSON.stringify(table) })));
  return tables.map((table) => {
    const ruled = Object.keys(table.types).filter((name) => {
      const type = schema.structByName(`${table.package}.${name}`);
      return type !== undefined && reachesRule(type, new Set());
    });
    return ruled.length === 0 ? table : { ...table, ruled };
  });
}

function reachesRule(type: Type, visited: Set<StructType>): boolean {
  switch (type.kind) {
    case 'scalar':
      return parseMarkers(type.validation).some(mayBind);
    case 'list':
      return reachesRule(type.element, visited);
    case 'map':
      return reachesRule(type.value, visited);
    case 'variant':
      return false;
    case 'struct': {
      if (visited.has(type)) return false;
      visited.add(type);
      return type.fields.some((field) => {
        const markers = parseMarkers(field.validation);
        const opaque = markers.some(({ name }) => name === 'opaqueType');
        return markers.some(mayBind) || (!opaque && reachesRule(field.type, visited));
      });
    }
  }
}

/** Alpha rules never are. */
function mayBind({ level, name, value }: Marker): boolean {
  return level !== 'alpha' && !harmless.has(name) && !(name === 'listType' && value === 'atomic');
}
