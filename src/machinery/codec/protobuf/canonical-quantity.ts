import { canonicalQuantity as canonical, QuantityError } from '../../quantity.ts';
import { DecodeError } from '../decode-error.ts';

/** Up to three digits with a suffix that cannot be shortened: what nearly every quantity looks like. */
const plainlyCanonical = /^(?:0|[1-9]\d{0,2}(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?)$/;

export function canonicalQuantity(text: string): string {
  if (plainlyCanonical.test(text)) return text;
  try {
    return canonical(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message, { cause: error });
    throw error;
  }
}
