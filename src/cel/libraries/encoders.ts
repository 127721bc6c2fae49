// Upstream: github.com/google/cel-go/ext/encoders.go

import { withoutTrailing } from '../../base/trailing.ts';
import type { Library } from '../declarations.ts';
import { declare, overload } from '../declarations.ts';
import { bytesType, stringType } from '../types.ts';
import type { Value } from '../values.ts';
import { CelError } from '../values.ts';

/** Padding may be missing, but not wrong. */
function decode(text: string): Value {
  const bare = withoutTrailing(text, '=');
  const isPadded = bare.length === text.length || text.length % 4 === 0;
  if (!/^[A-Za-z0-9+/]*$/.test(bare) || bare.length % 4 === 1 || !isPadded)
    return new CelError(`illegal base64 data at input byte ${Math.max(bare.search(/[^A-Za-z0-9+/]/), 0)}`);
  return Uint8Array.from(Buffer.from(bare, 'base64'));
}

export const encodersLibrary: Library = {
  name: 'encoders',
  functions: [
    declare('base64.decode', overload('base64_decode_string', [stringType], bytesType, decode)),
    declare(
      'base64.encode',
      overload('base64_encode_bytes', [bytesType], stringType, (value: Uint8Array) => Buffer.from(value).toString('base64')),
    ),
  ],
};
