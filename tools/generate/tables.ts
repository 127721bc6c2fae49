import type { FieldExtra, FieldRow, StructExtra, Table, TypeRow } from '../../src/schema/table-format.ts';
import type { Declaration, GoField, PackageFacts } from './go-facts.ts';
import { hasMarker, markerValues } from './go-facts.ts';
import { GoTypes, isMessageList } from './go-types.ts';
import { readLifecycles } from './lifecycles.ts';
import type { ApiPackage } from './packages.ts';
import type { ProtoMessages } from './proto-files.ts';
import { variantOf } from './variants.ts';

/** Reachable only through Go interfaces, never on the wire. */
const internalTypes = new Set(['InternalEvent', 'Object', 'ObjectMetaAccessor', 'ListMetaAccessor', 'Common', 'Type', 'ListInterface']);

/** Markers that steer Go generators and say nothing about the API. */
const toolMarkers = /^k8s:(deepcopy-gen|conversion-gen|openapi-gen|prerelease-lifecycle-gen|defaulter-gen|protobuf-gen|validation-gen)/;

export function makeTable(pack: ApiPackage, facts: PackageFacts, types: GoTypes, messages: ProtoMessages): Table {
  const rows: [string, TypeRow][] = [];
  for (const [name, declared] of Object.entries(facts.types)) {
    if (internalTypes.has(name) || !/^[A-Z]/.test(name) || types.isOpaque(`${pack.path}.${name}`)) continue;
    const row = typeRow(pack, name, declared, types, messages);
    if (row !== undefined) rows.push([name, row]);
  }
  const enumRules = enumRulesOf(facts);
  return {
    id: pack.id,
    package: openApiPackage(pack.path),
    version: pack.version,
    ...groupOf(facts),
    kinds: kindsOf(pack, facts, types),
    lifecycles: readLifecycles(pack.directory),
    enums: enumsOf(pack, facts, types),
    ...(Object.keys(enumRules).length > 0 && { enumRules }),
    types: Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function openApiPackage(path: string): string {
  return path.replace(/^k8s\.io\//, 'io.k8s.').replaceAll('/', '.');
}

/** Types outside of any group, such as the response of /version, have neither group nor version. */
function groupOf(facts: PackageFacts): { group: string; version?: string } {
  const found = facts.constants.find(({ name }) => name === 'GroupName');
  return found === undefined ? { group: '', version: '' } : { group: found.value };
}

function kindsOf(pack: ApiPackage, facts: PackageFacts, types: GoTypes): Record<string, string> {
  const kinds = facts.kinds
    .filter(({ type }) => type !== '' && !internalTypes.has(type.slice(type.lastIndexOf('.') + 1)))
    .map(({ kind, type }) => [kind, types.resolve(type, pack.path).type] as const);
  return Object.fromEntries(kinds.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function enumsOf(pack: ApiPackage, facts: PackageFacts, types: GoTypes): Record<string, string[]> {
  const enums: Record<string, string[]> = {};
  for (const [name, declared] of Object.entries(facts.types).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (declared.type !== 'string' || !hasMarker(declared.markers, 'enum')) continue;
    const values = facts.constants
      .filter(({ type }) => type === `${pack.path}.${name}`)
      .map(({ name: constant }) => types.constant(constant, pack.path).value);
    enums[name] = [...new Set(values)].toSorted();
  }
  return enums;
}

/** Rules that a string type with declared values brings to wherever it is used. */
function enumRulesOf(facts: PackageFacts): Record<string, string[]> {
  const rules = Object.entries(facts.types)
    .filter(([, { type, markers }]) => type === 'string' && hasMarker(markers, 'enum'))
    .map(([name, { markers }]) => [name, validationOf(markers)] as const)
    .filter(([, markers]) => markers.length > 0);
  return Object.fromEntries(rules.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function typeRow(pack: ApiPackage, name: string, declared: Declaration, types: GoTypes, messages: ProtoMessages): TypeRow | undefined {
  if (declared.struct === true) return structRow(pack, name, declared, types, messages);
  if (isMessageList(declared)) return { items: types.resolve((declared.type as string).slice(2), pack.path).type };
  const target = declared.type as string;
  if (declared.alias === true) return undefined;
  if (/^(any$|\?|\[\]|map\[|[a-z]\w*$)/.test(target) || types.isOpaque(target)) return undefined;
  const alias = types.resolve(target, pack.path).type;
  return /^(\w|-)+\.[A-Z]/.test(alias) || /^[A-Z]/.test(alias) ? alias : undefined;
}

function structRow(pack: ApiPackage, name: string, declared: Declaration, types: GoTypes, messages: ProtoMessages): TypeRow {
  const fields = (declared.fields ?? []).filter(({ json }) => json !== '-');
  const variant = variantOf(name, fields);
  if (variant !== undefined) return variant;
  const rows = fields.map((field) => fieldRow(pack, name, field, types, messages));
  const unions = unionsOf(declared, fields);
  const validation = validationOf(declared.markers);
  const mapType = last(declared.markers ?? [], 'structType') ?? last(declared.markers ?? [], 'mapType');
  const extra: StructExtra = {
    ...(mapType !== undefined && { mapType: mapType as 'granular' | 'atomic' }),
    ...(unions.length > 0 && { unions }),
    ...(validation.length > 0 && { validation }),
  };
  return Object.keys(extra).length > 0 ? { fields: rows, extra } : rows;
}

function fieldRow(pack: ApiPackage, parent: string, field: GoField, types: GoTypes, messages: ProtoMessages): FieldRow {
  const { type, pointer } = types.resolve(field.type, pack.path);
  const [jsonName = '', ...options] = (field.json ?? '').split(',');
  const inline = field.embeds === true && jsonName === '';
  // Without a JSON tag Go writes the field under its own name.
  const name = inline ? '' : jsonName === '' ? field.name : jsonName;
  const empty = options.includes('omitempty');
  const zero = options.includes('omitzero');
  const optional = hasMarker(field.markers, 'optional') || hasMarker(field.markers, 'k8s:optional');
  const required = !inline && (hasMarker(field.markers, 'required') || (!hasMarker(field.markers, 'optional') && !empty));
  const flags =
    (inline ? 'i' : '') +
    (pointer ? 'p' : '') +
    (empty ? 'e' : '') +
    (zero ? 'z' : '') +
    (optional ? 'o' : '') +
    (required ? 'r' : '') +
    (hasMarker(field.markers, 'nullable') ? 'n' : '');
  const number = messages.has(`${pack.path}.${parent}`) ? protoNumber(field) : 0;
  const extra = fieldExtra(pack, name, field, types);
  return Object.keys(extra).length > 0 ? [name, type, number, flags, extra] : [name, type, number, flags];
}

function protoNumber(field: GoField): number {
  return field.proto === undefined || field.proto === '-' ? 0 : Number(field.proto.split(',')[1]);
}

function fieldExtra(pack: ApiPackage, name: string, field: GoField, types: GoTypes): FieldExtra {
  const markers = field.markers ?? [];
  const declaredDefault = defaultOf(pack, markers, types);
  const listType = last(markers, 'listType');
  const mapType = last(markers, 'mapType') ?? last(markers, 'structType');
  const keys = markerValues(markers, 'listMapKey');
  const validation = validationOf(markers);
  const featureGate = last(markers, 'featureGate');
  return {
    ...(types.namesPlainType(field.type) && { goType: types.goText(field.type) }),
    ...(name !== '' && field.name !== name.charAt(0).toUpperCase() + name.slice(1) && { go: field.name }),
    ...(declaredDefault !== undefined && { default: declaredDefault.value }),
    ...(listType !== undefined && { listType: listType as 'atomic' | 'set' | 'map' }),
    ...(keys.length > 0 && { listMapKeys: keys }),
    ...(mapType !== undefined && { mapType: mapType as 'granular' | 'atomic' }),
    ...(field.patchStrategy !== undefined && { patchStrategy: field.patchStrategy.split(',') as ('merge' | 'replace' | 'retainKeys')[] }),
    ...(field.patchMergeKey !== undefined && { patchMergeKey: field.patchMergeKey }),
    ...(validation.length > 0 && { validation }),
    ...(featureGate !== undefined && { featureGate }),
  };
}

function last(markers: readonly string[], name: string): string | undefined {
  return markerValues(markers, name).at(-1);
}

function defaultOf(pack: ApiPackage, markers: readonly string[], types: GoTypes): { value: unknown } | undefined {
  const text = last(markers, 'default');
  if (text === undefined) return undefined;
  const reference = /^ref\((.*)\)$/.exec(text)?.[1];
  return { value: reference === undefined ? (JSON.parse(text) as unknown) : types.constant(reference, pack.path).value };
}

function validationOf(markers: readonly string[] | undefined): string[] {
  return (markers ?? []).filter((marker) => marker.startsWith('k8s:') && !toolMarkers.test(marker)).map((marker) => marker.slice(4));
}

function unionsOf(declared: Declaration, fields: readonly GoField[]): NonNullable<StructExtra['unions']>[number][] {
  if (!hasMarker(declared.markers, 'union')) return [];
  const jsonName = (field: GoField): string => (field.json ?? '').split(',')[0] as string;
  const discriminator = fields.find(({ markers }) => hasMarker(markers, 'unionDiscriminator'));
  const members = fields
    .filter((field) => field !== discriminator && hasMarker(field.markers, 'optional') && !hasMarker(field.markers, 'unionDeprecated'))
    .map((field) => [jsonName(field), field.name] as const);
  return [{ ...(discriminator !== undefined && { discriminator: jsonName(discriminator) }), members }];
}
