import { append } from '../machinery/append.ts';
import type {
  DeclaredField,
  Field,
  ListType,
  ProtoField,
  ScalarName,
  ScalarType,
  StructType,
  Type,
  Union,
} from '../machinery/type-model.ts';
import type { FieldRow, StructExtra, StructRow, Table, VariantRow } from './table-format.ts';

const scalarNames: ReadonlySet<string> = new Set<ScalarName>([
  'string',
  'bool',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'float32',
  'float64',
  'bytes',
  'quantity',
  'intOrString',
  'time',
  'microTime',
  'duration',
  'raw',
  'fieldsV1',
  'json',
  'unknown',
]);

/** Turns rows of one table into types. A struct's fields are made on first use, so recursion is no trouble. */
export class StructBuilder {
  readonly #table: Table;
  readonly #foreign: (id: string) => StructBuilder;
  readonly #named = new Map<string, Type>();
  readonly #scalars = new Map<string, ScalarType>();
  #ruled: ReadonlySet<string> | undefined;

  constructor(table: Table, foreign: (id: string) => StructBuilder) {
    this.#table = table;
    this.#foreign = foreign;
  }

  get table(): Table {
    return this.#table;
  }

  /** A declared type by its name in the table, or by `id.Name`. */
  named(reference: string): Type | undefined {
    const dot = reference.indexOf('.');
    if (dot >= 0) return this.#foreign(reference.slice(0, dot)).named(reference.slice(dot + 1));
    const known = this.#named.get(reference);
    if (known !== undefined) return known;
    const row = Object.hasOwn(this.#table.types, reference) ? this.#table.types[reference] : undefined;
    if (row === undefined) return undefined;
    const made = this.#make(reference, row);
    this.#named.set(reference, made);
    return made;
  }

  struct(reference: string): StructType | undefined {
    const found = this.named(reference);
    return found?.kind === 'struct' ? found : undefined;
  }

  type(text: string): Type {
    if (text.startsWith('[]*')) return { kind: 'list', element: this.type(text.slice(3)), elementNullable: true };
    if (text.startsWith('[]')) return { kind: 'list', element: this.type(text.slice(2)) };
    if (text.startsWith('{}')) return { kind: 'map', value: this.type(text.slice(2)) };
    if (text.startsWith('=')) return this.#enumerated(text.slice(1));
    if (scalarNames.has(text)) return this.#scalar(text as ScalarName);
    const found = this.named(text);
    if (found === undefined) throw new Error(`table ${this.#table.id} mentions unknown type ${text}`);
    return found;
  }

  #make(name: string, row: Table['types'][string]): Type {
    if (typeof row === 'string') return this.#renamed(name, row);
    if ('items' in row) return { kind: 'list', element: this.type(row.items), message: name };
    if ('variant' in row) return this.#variant(name, row);
    return this.#struct(name, row, this);
  }

  /** A type made from another has its fields and a name of its own. */
  #renamed(name: string, target: string): Type {
    const dot = target.indexOf('.');
    const owner = dot < 0 ? this : this.#foreign(target.slice(0, dot));
    const row = owner.#table.types[target.slice(dot + 1)];
    if (row === undefined || typeof row === 'string' || 'items' in row || 'variant' in row) return this.type(target);
    return this.#struct(name, row, owner);
  }

  #struct(name: string, row: StructRow, owner: StructBuilder): StructType {
    this.#ruled ??= new Set(this.#table.ruled);
    return new TableStruct(`${this.#table.package}.${name}`, row, this.#ruled.has(name), owner);
  }

  #variant(name: string, { variant }: VariantRow): Type {
    const object = this.struct(variant.object[1]);
    if (object === undefined) throw new Error(`${name}: ${variant.object[1]} is no struct`);
    const array: ListType | undefined = variant.array && { kind: 'list', element: this.type(variant.array[1]) };
    return {
      kind: 'variant',
      name: `${this.#table.package}.${name}`,
      object,
      ...(array !== undefined && { array }),
      bool: variant.bool !== undefined,
      proto: {
        object: variant.object[0],
        ...(variant.array !== undefined && { array: variant.array[0] }),
        ...(variant.bool !== undefined && { bool: variant.bool }),
      },
    };
  }

  #scalar(scalar: ScalarName): ScalarType {
    let known = this.#scalars.get(scalar);
    if (known === undefined) this.#scalars.set(scalar, (known = { kind: 'scalar', scalar }));
    return known;
  }

  #enumerated(reference: string): ScalarType {
    const dot = reference.indexOf('.');
    if (dot >= 0) return this.#foreign(reference.slice(0, dot)).#enumerated(reference.slice(dot + 1));
    const values = this.#table.enums[reference];
    if (values === undefined) throw new Error(`table ${this.#table.id} has no values for ${reference}`);
    const key = `=${reference}`;
    let known = this.#scalars.get(key);
    if (known === undefined) {
      const goName = `${localPackage(this.#table.package)}.${reference}`;
      const validation = this.#table.enumRules?.[reference];
      known = { kind: 'scalar', scalar: 'string', goName, enum: values, ...(validation !== undefined && { validation }) };
      this.#scalars.set(key, known);
    }
    return known;
  }
}

interface Shape {
  readonly fields: readonly Field[];
  readonly declared: readonly DeclaredField[];
  readonly byName: ReadonlyMap<string, Field>;
  readonly proto: readonly ProtoField[];
}

class TableStruct implements StructType {
  readonly kind = 'struct';
  readonly name: string;
  declare readonly atomic?: boolean;
  declare readonly mapType?: 'granular' | 'atomic';
  declare readonly unions?: readonly Union[];
  declare readonly validation?: readonly string[];
  readonly ruled: boolean;
  readonly #rows: readonly FieldRow[];
  readonly #builder: StructBuilder;
  #shape: Shape | undefined;

  constructor(name: string, row: StructRow, ruled: boolean, builder: StructBuilder) {
    this.name = name;
    this.ruled = ruled;
    this.#builder = builder;
    if (!('extra' in row)) {
      this.#rows = row;
      return;
    }
    this.#rows = row.fields;
    const { mapType, unions, validation } = row.extra;
    if (mapType !== undefined) this.mapType = mapType;
    if (mapType === 'atomic') this.atomic = true;
    if (unions !== undefined) this.unions = unions.map(describeUnion);
    if (validation !== undefined) this.validation = validation;
  }

  get fields(): readonly Field[] {
    return this.#load().fields;
  }

  get declared(): readonly DeclaredField[] {
    return this.#load().declared;
  }

  get byName(): ReadonlyMap<string, Field> {
    return this.#load().byName;
  }

  get proto(): readonly ProtoField[] {
    return this.#load().proto;
  }

  #load(): Shape {
    return (this.#shape ??= shapeOf(this.#rows, this.#builder));
  }
}

function describeUnion(union: NonNullable<StructExtra['unions']>[number], index: number): Union {
  return {
    name: `union${index === 0 ? '' : index}`,
    ...(union.discriminator !== undefined && { discriminator: union.discriminator }),
    members: union.members.map(([name]) => name),
    values: union.members.map(([, value]) => value),
  };
}

function shapeOf(rows: readonly FieldRow[], builder: StructBuilder): Shape {
  const fields: Field[] = [];
  const declared: DeclaredField[] = [];
  const proto: ProtoField[] = [];
  for (const row of rows) {
    const [name, , number, flags, extra] = row;
    const field = fieldOf(row, builder);
    const inline = flags.includes('i');
    declared.push({ field, inline });
    if (!inline) fields.push(field);
    else if (field.type.kind === 'struct') append(fields, field.type.fields);
    else throw new Error(`inlined ${row[1]} is no struct`);
    if (number > 0) {
      const goName = extra?.go ?? (inline ? localName(row[1]) : name.charAt(0).toUpperCase() + name.slice(1));
      proto.push({ number, goName, field, inline });
    }
  }
  proto.sort((a, b) => a.number - b.number);
  return { fields, declared, byName: new Map(fields.map((field) => [field.name, field])), proto };
}

function fieldOf([name, type, , flags, extra]: FieldRow, builder: StructBuilder): Field {
  const { go: _, goType, ...facts } = extra ?? {};
  return {
    name,
    type: goType === undefined ? builder.type(type) : withGoName(builder.type(type), goType),
    pointer: flags.includes('p'),
    omit: flags.includes('z') ? 'zero' : flags.includes('e') ? 'empty' : 'never',
    optional: flags.includes('o'),
    required: flags.includes('r'),
    ...(flags.includes('n') && { nullable: true }),
    ...facts,
  };
}

function localPackage(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The type with the names that Go's type text gives its parts. */
function withGoName(type: Type, goType: string): Type {
  if (type.kind === 'list' && goType.startsWith('[]')) {
    return { ...type, element: withGoName(type.element, goType.slice(2).replace(/^\*/, '')) };
  }
  if (type.kind === 'map' && goType.startsWith('map[')) {
    return { ...type, goName: goType, value: withGoName(type.value, goType.slice(goType.indexOf(']') + 1)) };
  }
  return type.kind === 'scalar' || type.kind === 'list' || type.kind === 'map' ? { ...type, goName: goType } : type;
}

function localName(reference: string): string {
  return reference.slice(reference.indexOf('.') + 1);
}
