// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/marshal.go
import type { ListType, VariantType } from '../../type-model.ts';
import type { DecoderOf } from './compile-decoder.ts';
import type { MessageNames, Reader } from './reader.ts';

/** Reads a value of several shapes: the list when it has elements, else the object, else the boolean or null. */
export function compileVariantDecoder(type: VariantType, decoderOf: DecoderOf): (reader: Reader, end: number) => unknown {
  const decoder = decoderOf(type.object);
  const elementDecoder = type.array?.element.kind === 'struct' ? decoderOf(type.array.element) : undefined;
  const objectTag = type.proto.object * 8 + 2;
  const arrayTag = type.proto.array === undefined ? -1 : type.proto.array * 8 + 2;
  const boolTag = type.proto.bool === undefined ? -1 : type.proto.bool * 8;
  const names: MessageNames = {
    name: type.name.slice(type.name.lastIndexOf('.') + 1),
    fields: {
      [type.proto.object]: 'Schema',
      ...(type.proto.array !== undefined && { [type.proto.array]: elementDecoder === undefined ? 'Property' : 'JSONSchemas' }),
      ...(type.proto.bool !== undefined && { [type.proto.bool]: 'Allows' }),
    },
    packable: new Set(),
  };

  return function decodeVariant(reader, end) {
    const parts: number[] = [];
    const elements: unknown[] = [];
    let allows = false;
    while (reader.position < end) {
      const start = reader.position;
      const tag = reader.tag(end);
      if (tag === boolTag) allows = reader.bool(end);
      else if (tag === objectTag) {
        const to = reader.boundary(end);
        parts.push(reader.position, to);
        reader.position = to;
      } else if (tag === arrayTag) {
        if (elementDecoder === undefined) elements.push(reader.string(end));
        else {
          const to = reader.boundary(end);
          elements.push(reader.nested(elementDecoder.decode, reader.position, to));
          reader.position = to;
        }
      } else reader.other(tag, start, end, names);
    }
    if (elements.length > 0) return elements;
    if (parts.length > 0) return reader.joined(decoder.decode, parts);
    return type.bool ? allows : null;
  };
}

/** Reads a list that is a message of its own, such as ExtraValue; only lists of strings are. */
export function readMessageList(type: ListType): (reader: Reader, end: number, into: string[]) => string[] {
  if (type.element.kind !== 'scalar' || type.element.scalar !== 'string') throw new Error(`${type.message} is no list of strings`);
  const names: MessageNames = { name: type.message ?? '', fields: { 1: 'Items' }, packable: new Set() };
  return function decodeList(reader, end, into) {
    while (reader.position < end) {
      const start = reader.position;
      const tag = reader.tag(end);
      if (tag === 10) into.push(reader.string(end));
      else reader.other(tag, start, end, names);
    }
    return into;
  };
}
