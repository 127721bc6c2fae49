import type { ScalarName } from './type-model.ts';

/** What the scalars that Go has itself are when unset; those that are structs there are not among them. */
export const plainZeros: Readonly<Partial<Record<ScalarName, string | number | boolean>>> = Object.freeze({
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  uint32: 0,
  uint64: 0,
  float32: 0,
  float64: 0,
});
