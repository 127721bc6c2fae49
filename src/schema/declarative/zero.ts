import { plainZeros } from '../../machinery/plain-zeros.ts';
import type { Type } from '../../machinery/type-model.ts';

const emptyStruct = Object.freeze({});

interface Place {
  readonly type: Type;
  readonly pointer: boolean;
}

/** What an absent value stands for. */
export function zeroOf({ type, pointer }: Place): unknown {
  if (pointer) return undefined;
  if (type.kind === 'struct') return emptyStruct;
  return type.kind === 'scalar' ? plainZeros[type.scalar] : undefined;
}

/** Tells whether there is a value; undefined where a value is always there, as for structs. */
export function presence({ type, pointer }: Place): ((value: unknown) => boolean) | undefined {
  if (pointer) return (value) => value !== undefined && value !== null;
  switch (type.kind) {
    case 'list':
      return (value) => ((value as readonly unknown[] | null | undefined)?.length ?? 0) > 0;
    case 'map':
      return (value) => Object.keys((value as object | null | undefined) ?? {}).length > 0;
    case 'scalar': {
      if (type.scalar === 'bytes') return (value) => value !== undefined && value !== null && value !== '';
      const zero = plainZeros[type.scalar];
      return zero === undefined ? undefined : (value) => value !== zero && value !== undefined && value !== null;
    }
    default:
      return undefined;
  }
}
