/** Up to three digits with a suffix that cannot be shortened: what nearly every quantity looks like. */
const plainlyCanonical = /^(?:0|[1-9]\d{0,2}(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?)$/;

export function canonicalQuantity(text: string): string {
  if (plainlyCanonical.test(text)) return text;
  return text;
}
