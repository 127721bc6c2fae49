// Upstream: k8s.io/apiserver/pkg/storage/api_object_versioner.go, k8s.io/apimachinery/pkg/util/resourceversion/resourceversion.go
import { FieldPath, invalid } from './field.ts';
import type { FieldError } from './field.ts';
import { NumberSyntaxError, parseUint64 } from './go-number.ts';

/** A resourceVersion that is not a number. Lists respond with 400 `invalid resource version: <message>`, watches 422 with the field error. */
export class ResourceVersionError extends Error {
  override readonly name = 'ResourceVersionError';
  readonly fieldError: FieldError;

  constructor(fieldError: FieldError, options?: ErrorOptions) {
    super(String(fieldError), options);
    this.fieldError = fieldError;
  }
}

/** The revision that a client asks for; 0 stands for any. Throws a ResourceVersionError. */
export function parseResourceVersion(text: string): number {
  if (text === '' || text === '0') return 0;
  try {
    // Beyond 2^53 no store of ours ever gets; such a revision is too large, whatever its last digits.
    return Number(parseUint64(text));
  } catch (error) {
    if (!(error instanceof NumberSyntaxError)) throw error;
    throw new ResourceVersionError(invalid(FieldPath.root('resourceVersion'), text, error.message), { cause: error });
  }
}

/** Which of two versions of objects of one resource is newer; undefined unless both are positive numbers in plain form. */
export function compareResourceVersions(left: string, right: string): -1 | 0 | 1 | undefined {
  if (!isWellFormed(left) || !isWellFormed(right)) return undefined;
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function isWellFormed(text: string): boolean {
  return /^[1-9][0-9]*$/.test(text);
}
