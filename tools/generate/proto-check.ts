import type { StructType, Type } from '../../src/machinery/type-model.ts';
import type { Schema } from '../../src/schema/index.ts';
import type { ProtoMessages } from './proto-files.ts';
import { openApiPackage } from './tables.ts';

const scalarNames: Readonly<Record<string, string>> = {
  float64: 'double',
  float32: 'float',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  time: 'Time',
  microTime: 'MicroTime',
  raw: 'RawExtension',
  fieldsV1: 'FieldsV1',
  json: 'JSON',
};

/** Messages that are not structs in the tables: scalars there, or lists with a message around them. */
const elsewhere = /\.(Duration|FieldsV1|MicroTime|Time|Timestamp|Verbs|ExtraValue|AttestationValue|JSON|JSONSchemaPropsOr\w+)$/;

/** Compares the tables with the published messages; gives a line for every difference. */
export function compareWithProto(
  schema: Schema,
  messages: ProtoMessages,
): { readonly compared: number; readonly differences: readonly string[] } {
  const differences: string[] = [];
  let compared = 0;
  for (const [path, fields] of messages) {
    const dot = path.lastIndexOf('.');
    const name = `${openApiPackage(path.slice(0, dot))}${path.slice(dot)}`;
    const type = schema.structByName(name);
    if (type === undefined) {
      if (!elsewhere.test(name)) differences.push(`message ${name}: not in the tables`);
      continue;
    }
    compared++;
    const ours = type.proto.map(({ number, field }) => `${number} ${formOf(field.type)}`);
    const theirs = fields.map(({ number, type: given, repeated }) => `${number} ${repeated ? 'repeated ' : ''}${given}`);
    const missing = theirs.filter((line) => !ours.includes(line));
    const excess = ours.filter((line) => !theirs.includes(line));
    if (missing.length + excess.length > 0) differences.push(`message ${name}: ours ${excess.join(', ')}; published ${missing.join(', ')}`);
  }
  return { compared, differences };
}

function formOf(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return scalarNames[type.scalar] ?? type.scalar;
    case 'list':
      return type.message ?? `repeated ${formOf(type.element)}`;
    case 'map':
      return `map<string, ${formOf(type.value)}>`;
    default:
      return localName(type);
  }
}

function localName({ name }: Pick<StructType, 'name'>): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
