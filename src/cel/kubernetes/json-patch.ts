// Upstream: k8s.io/apiserver/pkg/cel/library/jsonpatch.go

import type { Library } from '../declarations.ts';
import { declare, overload } from '../declarations.ts';
import { stringType as string } from '../types.ts';

export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  functions: [
    declare(
      'jsonpatch.escapeKey',
      overload('string_jsonpatch_escapeKey_string', [string], string, (key: string) =>
        key.replaceAll(/[~/]/g, (c) => (c === '~' ? '~0' : '~1')),
      ),
    ),
  ],
};
