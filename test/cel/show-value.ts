// Upstream: github.com/google/cel-go/common/types/format.go

import { goQuote } from '../../src/machinery/go-format.ts';
import { showDuration, showTimestamp, plainDecimal } from '../../src/cel/time.ts';
import { CelType } from '../../src/cel/types.ts';
import type { Value } from '../../src/cel/values.ts';
import { CelList, CelMap, Double, Duration, Optional, Timestamp, typeOf, Uint } from '../../src/cel/values.ts';

/** A value as an expression would write it: how recorded responses hold values. */
export function showValue(value: Value): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return showDouble(value.value);
  if (value instanceof Uint8Array) return `b"${[...value].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
  if (value instanceof Timestamp) return `timestamp("${showTimestamp(new Timestamp(value.seconds, value.nanos))}")`;
  if (value instanceof Duration) return `duration("${showDuration(value)}")`;
  if (value instanceof CelList) return `[${[...value].map(showValue).join(', ')}]`;
  if (value instanceof CelMap) return showMap(value);
  if (value instanceof Optional) return value.value === undefined ? 'optional.none()' : `optional.of(${showValue(value.value)})`;
  return value instanceof CelType ? value.name : typeOf(value).name;
}

function showDouble(value: number): string {
  if (Number.isNaN(value)) return 'double("NaN")';
  if (!Number.isFinite(value)) return `double("${value > 0 ? '' : '-'}Infinity")`;
  const shown = plainDecimal(value);
  return shown.includes('.') ? shown : `${shown}.0`;
}

function showMap(map: CelMap): string {
  const entries = map.keys().map((key) => `${showValue(key)}: ${showValue(map.find(key) ?? null)}`);
  return `{${entries.sort().join(', ')}}`;
}
