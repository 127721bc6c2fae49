// Upstream: k8s.io/kube-openapi/pkg/validation/validate/type.go
import { wrongType } from './faults.ts';
import { isAlmostWhole } from './numbers.ts';
import type { Run } from './run.ts';

/** Type and format of a JSON value, as the validator names them. */
function describe(value: unknown): { type: string; format: string } {
  switch (typeof value) {
    case 'string':
      return { type: 'string', format: '' };
    case 'boolean':
      return { type: 'boolean', format: '' };
    case 'bigint':
      return { type: 'integer', format: 'int64' };
    case 'number':
      return Number.isInteger(value) ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'float64' };
    default:
      return { type: Array.isArray(value) ? 'array' : 'object', format: '' };
  }
}

/** Checks the type of a value; returns 1 when it is right. */
export function typeCheck(types: readonly string[], nullable: boolean, format: string): (run: Run, value: unknown) => number {
  const expected = types.join(',');
  const allowsNumbers = types.includes('number') || types.includes('integer');
  return (run, value) => {
    if (value === null) {
      if (types.length === 0 || nullable || types.includes('null')) return 1;
      run.add(() => wrongType(run.path, expected, 'null'));
      return 0;
    }
    const found = describe(value);
    const isWholeFloat = found.type === 'number' && types.includes('integer') && isAlmostWhole(value as number);
    const isWholeNumber = found.type === 'integer' && types.includes('number');
    const isExpected = types.includes(found.type) || isWholeFloat || isWholeNumber;
    const isTextOrList = found.type === 'string' || found.type === 'array';
    if (format !== '' && !isTextOrList && !isExpected && found.format !== format) {
      run.add(() => wrongType(run.path, format, found.format));
      return 0;
    }
    // The format decides about text; a quirk kept: about lists nothing does.
    if (format !== '' && isTextOrList && !allowsNumbers) return 1;
    if (isExpected) return 1;
    run.add(() => wrongType(run.path, expected, found.type));
    return 0;
  };
}
