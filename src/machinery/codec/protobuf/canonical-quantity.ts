import { canonicalQuantity as canonical, QuantityError } from '../../quantity.ts';
import { DecodeError } from '../decode-error.ts';

export function canonicalQuantity(text: string): string {
  try {
    return canonical(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message, { cause: error });
    throw error;
  }
}
