import type { Constant, Declaration, PackageFacts } from './go-facts.ts';
import { hasMarker } from './go-facts.ts';
import type { ApiPackage } from './packages.ts';

/** Types that own their wire form; everything else follows from its declaration. */
const opaque: Readonly<Record<string, string>> = {
  'k8s.io/apimachinery/pkg/apis/meta/v1.Time': 'time',
  'k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime': 'microTime',
  'k8s.io/apimachinery/pkg/apis/meta/v1.Duration': 'duration',
  'k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1': 'fieldsV1',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'intOrString',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'raw',
  // The audit package's own copy of RawExtension: same wire form, and a message of runtime in protobuf.
  'k8s.io/apimachinery/pkg/runtime.Unknown': 'raw',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON': 'json',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON': 'json',
  any: 'unknown',
};

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int: 'int64',
  int32: 'int32',
  int64: 'int64',
  uint32: 'uint32',
  uint64: 'uint64',
  float32: 'float32',
  float64: 'float64',
};

export interface Resolved {
  /** in the notation of `table-format.ts` */
  readonly type: string;
  readonly pointer: boolean;
}

export class GoTypes {
  readonly #facts: Readonly<Record<string, PackageFacts>>;
  readonly #ids: ReadonlyMap<string, string>;

  constructor(facts: Readonly<Record<string, PackageFacts>>, packages: readonly ApiPackage[]) {
    this.#facts = facts;
    this.#ids = new Map(packages.map(({ path, id }) => [path, id]));
  }

  declaration(name: string): Declaration {
    const { path, local } = splitName(name);
    const found = this.#facts[path]?.types[local];
    if (found === undefined) throw new Error(`type ${name} is not declared in the packages that were read`);
    return found;
  }

  constant(name: string, from: string): Constant {
    const { path, local } = name.includes('.') ? splitName(name) : { path: from, local: name };
    const found = this.#facts[path]?.constants.find((constant) => constant.name === local);
    if (found === undefined) throw new Error(`constant ${name} is not declared in ${path}`);
    return found.ref === undefined ? found : this.constant(found.ref, path);
  }

  isOpaque(name: string): boolean {
    return name in opaque;
  }

  /** `from` is the package in which the type is mentioned: its own types are written without a prefix. */
  resolve(type: string, from: string): Resolved {
    if (type.startsWith('*')) return { ...this.resolve(type.slice(1), from), pointer: true };
    const scalar = opaque[type] ?? scalars[type];
    if (scalar !== undefined) return { type: scalar, pointer: false };
    if (type === '[]byte' || type === '[]uint8') return { type: 'bytes', pointer: false };
    if (type.startsWith('[]')) {
      const element = this.resolve(type.slice(2), from);
      return { type: `[]${element.pointer ? '*' : ''}${element.type}`, pointer: false };
    }
    if (type.startsWith('map[')) {
      const value = this.resolve(type.slice(type.indexOf(']') + 1), from);
      if (value.pointer) throw new Error(`map of pointers: ${type}`);
      return { type: `{}${value.type}`, pointer: false };
    }
    return this.#resolveNamed(type, from);
  }

  /** A type that is, or holds, a string, number, list or map with a name of its own: decoding errors show that name. */
  namesPlainType(type: string): boolean {
    // a map whose keys have a type of their own
    if (/^\*?map\[[^\]]*\./.test(type)) return true;
    const bare = type.replace(/^(\*|\[\]|map\[[^\]]*\])+/, '');
    if (bare in opaque || bare in scalars || bare === 'byte' || bare === 'uint8' || !bare.includes('.')) return false;
    const declared = this.declaration(bare);
    return (
      declared.struct !== true &&
      declared.alias !== true &&
      !this.#renamesStruct(declared.type as string) &&
      !hasMarker(declared.markers, 'enum')
    );
  }

  /** As Go prints it: `[]v1.FinalizerName`, `types.UID`. */
  goText(type: string): string {
    return type.replace(/^\*/, '').replace(/[\w./-]*\/([\w-]+\.\w+)/g, '$1');
  }

  #resolveNamed(type: string, from: string): Resolved {
    const declared = this.declaration(type);
    if (declared.struct === true || isMessageList(declared)) return { type: this.#reference(type, from), pointer: false };
    const target = declared.type as string;
    if (declared.alias === true) return this.resolve(target, from);
    if (hasMarker(declared.markers, 'enum') && target === 'string') return { type: `=${this.#reference(type, from)}`, pointer: false };
    // A named struct type that only renames another struct is written as an alias row of its own.
    if (this.#renamesStruct(target)) return { type: this.#reference(type, from), pointer: false };
    return this.resolve(target, from);
  }

  #renamesStruct(target: string): boolean {
    return target.includes('.') && !/^[[*m]/.test(target) && !(target in opaque) && this.declaration(target).struct === true;
  }

  #reference(name: string, from: string): string {
    const { path, local } = splitName(name);
    if (path === from) return local;
    const id = this.#ids.get(path);
    if (id === undefined) throw new Error(`${from} mentions ${name}, whose package gets no table`);
    return `${id}.${local}`;
  }
}

/** Lists such as ExtraValue are messages in protobuf, because there a map cannot hold a list. */
export function isMessageList(declared: Declaration): boolean {
  return declared.type?.startsWith('[]') === true && hasMarker(declared.markers, 'protobuf.nullable');
}

export function splitName(name: string): { path: string; local: string } {
  const dot = name.lastIndexOf('.');
  return { path: name.slice(0, dot), local: name.slice(dot + 1) };
}
