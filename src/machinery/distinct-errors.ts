// Upstream: k8s.io/apimachinery/pkg/util/validation/field/errors.go#ErrorList.Filter
import { mostErrors, mostErrorText } from './errors.ts';
import type { FieldError } from './field.ts';

/** Common rules and those of a kind may find the same fault; clients hear of it once. */
export function distinctErrors(errors: readonly FieldError[]): FieldError[] {
  if (errors.length < 2) return [...errors];
  const known = new Map<string, FieldError>();
  let room = mostErrorText;
  for (const [index, error] of errors.entries()) {
    // the response ends here too
    if (room < 0 || index === mostErrors) return [...known.values(), ...errors.slice(index)];
    const words = `${error.type} ${error.field} ${error.body}`;
    room -= words.length;
    known.set(words, error);
  }
  return [...known.values()];
}
