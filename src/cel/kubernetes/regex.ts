// Upstream: k8s.io/apiserver/pkg/cel/library/regex.go

import type { Library } from '../declarations.ts';
import { declare, member } from '../declarations.ts';
import type { Regex } from '../regex.ts';
import { compileRegex } from '../regex.ts';
import { intType, listOf, stringType as string } from '../types.ts';
import type { Value } from '../values.ts';
import { CelError } from '../values.ts';

function withPattern(pattern: string, run: (regex: Regex) => Value): Value {
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? new CelError(`Illegal regex: ${regex.message}`) : run(regex);
}

const findAll = (text: string, pattern: string, limit = -1): Value => withPattern(pattern, (regex) => regex.findAll(text, limit));

export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  functions: [
    declare(
      'find',
      member('string_find_string', [string, string], string, (text: string, pattern: string) =>
        withPattern(pattern, (regex) => regex.find(text)),
      ),
    ),
    declare(
      'findAll',
      member('string_find_all_string', [string, string], listOf(string), findAll),
      member('string_find_all_string_int', [string, string, intType], listOf(string), findAll),
    ),
  ],
};
