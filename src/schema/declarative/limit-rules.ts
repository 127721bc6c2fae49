// Upstream: k8s.io/apimachinery/pkg/api/validate/limits.go
import { invalid, tooLong, tooLongCharacters, tooMany } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import { isLongerThan } from '../../machinery/names.ts';
import { nothing } from './rule.ts';
import type { Check, Path, RuleFamily } from './rule.ts';

type Limit<T> = (value: T, limit: number, path: Path) => FieldError | undefined;

export const limitRules: RuleFamily = {
  maxItems({ level, value }) {
    const check = limited<readonly unknown[]>(Number(value), 'maxItems', (items, max, path) =>
      items.length > max ? tooMany(path, items.length, max) : undefined,
    );
    return [{ level, stops: true, check }];
  },
  maxLength({ level, value }) {
    const check = limited<string>(Number(value), 'maxLength', (text, max, path) =>
      text.length > max && [...text].length > max ? tooLongCharacters(path, max) : undefined,
    );
    return [{ level, check }];
  },
  maxBytes({ level, value }) {
    const check = limited<string>(Number(value), 'maxBytes', (text, max, path) =>
      isLongerThan(text, max) ? tooLong(path, max) : undefined,
    );
    return [{ level, check }];
  },
  minimum({ level, value }) {
    const check = limited<number | bigint>(Number(value), 'minimum', (number, min, path) =>
      number < min ? invalid(path, number, `must be greater than or equal to ${min}`) : undefined,
    );
    return [{ level, check }];
  },
  maximum({ level, value }) {
    const check = limited<number | bigint>(Number(value), 'maximum', (number, max, path) =>
      number > max ? invalid(path, number, `must be less than or equal to ${max}`) : undefined,
    );
    return [{ level, check }];
  },
};

function limited<T>(limit: number, origin: string, exceeds: Limit<T>): Check {
  if (!Number.isSafeInteger(limit)) throw new Error(`${origin} needs a number`);
  return (_run, path, value) => {
    if (value === undefined || value === null) return nothing;
    const error = exceeds(value as T, limit, path);
    return error === undefined ? nothing : [error.withOrigin(origin)];
  };
}
