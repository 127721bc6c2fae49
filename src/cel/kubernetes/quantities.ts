// Upstream: k8s.io/apiserver/pkg/cel/library/quantity.go, k8s.io/apiserver/pkg/cel/quantity.go

import { Quantity, QuantityError } from '../../machinery/quantity.ts';
import type { Library } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import type { Int } from '../numbers.ts';
import { toInt } from '../numbers.ts';
import { boolType as bool, doubleType, intType as int, stringType as string, structType } from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelError, CelObject, Double, noSuchOverload } from '../values.ts';

export const quantityType = structType('kubernetes.Quantity');

export class QuantityValue extends CelObject {
  readonly type = quantityType;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: Value): Truth {
    return other instanceof QuantityValue ? this.quantity.equals(other.quantity) : noSuchOverload;
  }
}

function toQuantity(text: string): QuantityValue | CelError {
  try {
    return new QuantityValue(Quantity.parse(text));
  } catch (cause) {
    if (cause instanceof QuantityError) return new CelError(cause.message);
    throw cause;
  }
}

function asInteger({ quantity }: QuantityValue): Value {
  const value = quantity.asInt64();
  return value === undefined ? new CelError('cannot convert value to integer') : toInt(value);
}

const whole = (value: Int): Quantity => Quantity.of(value, 'DecimalExponent');
const pair = [quantityType, quantityType];

export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  functions: [
    declare('quantity', overload('string_to_quantity', [string], quantityType, toQuantity)),
    declare(
      'isQuantity',
      overload('is_quantity_string', [string], bool, (text: string) => !(toQuantity(text) instanceof CelError)),
    ),
    declare(
      'sign',
      overload('quantity_sign', [quantityType], int, (value: QuantityValue) => value.quantity.sign),
    ),
    declare(
      'isGreaterThan',
      member('quantity_is_greater_than', pair, bool, (a: QuantityValue, b: QuantityValue) => a.quantity.compare(b.quantity) > 0),
    ),
    declare(
      'isLessThan',
      member('quantity_is_less_than', pair, bool, (a: QuantityValue, b: QuantityValue) => a.quantity.compare(b.quantity) < 0),
    ),
    declare(
      'compareTo',
      member('quantity_compare_to', pair, int, (a: QuantityValue, b: QuantityValue) => a.quantity.compare(b.quantity)),
    ),
    declare(
      'asApproximateFloat',
      member('quantity_get_float', [quantityType], doubleType, (value: QuantityValue) => new Double(value.quantity.asApproximateNumber())),
    ),
    declare('asInteger', member('quantity_get_int', [quantityType], int, asInteger)),
    declare(
      'isInteger',
      member('quantity_is_integer', [quantityType], bool, (value: QuantityValue) => value.quantity.asInt64() !== undefined),
    ),
    declare(
      'add',
      member('quantity_add', pair, quantityType, (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.quantity.add(b.quantity))),
      member(
        'quantity_add_int',
        [quantityType, int],
        quantityType,
        (a: QuantityValue, b: Int) => new QuantityValue(a.quantity.add(whole(b))),
      ),
    ),
    declare(
      'sub',
      member(
        'quantity_sub',
        pair,
        quantityType,
        (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.quantity.subtract(b.quantity)),
      ),
      member(
        'quantity_sub_int',
        [quantityType, int],
        quantityType,
        (a: QuantityValue, b: Int) => new QuantityValue(a.quantity.subtract(whole(b))),
      ),
    ),
  ],
};
