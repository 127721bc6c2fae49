// Upstream: apiserver/pkg/audit/policy/reader.go
import { readFileSync } from 'node:fs';
import type { Logger } from '../../base/log.ts';
import { createJsonCodec } from '../../machinery/codec/json/codec.ts';
import type { Decoded } from '../../machinery/codec/json/codec.ts';
import { createYamlCodec } from '../../machinery/codec/yaml/codec.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import { aggregateMessage } from '../../machinery/field.ts';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { createSchema } from '../../schema/index.ts';
import type { Policy } from '../../schema/types/audit-v1.ts';
import { validatePolicy } from './policy-validation.ts';

const policyKind = { group: 'audit.k8s.io', version: 'v1', kind: 'Policy' } as const;

/** The policy in a file. What is not known in it is overlooked, with a warning. */
export function loadPolicy(file: string, log: Logger): Policy {
  let text: Buffer;
  try {
    text = readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `open ${file}: no such file or directory` : message;
    throw new Error(`failed to read file path ${goQuote(file)}: ${why}`, { cause: error });
  }
  try {
    return readPolicy(text, log);
  } catch (error) {
    throw new Error(`${(error as Error).message}: from file ${file}`, { cause: error });
  }
}

export function readPolicy(text: Buffer, log: Logger): Policy {
  const { object, strictErrors } = decode(text);
  const { kind, apiVersion } = object as { readonly kind?: string; readonly apiVersion?: string };
  if (!kind) throw new Error(`failed decoding: Object 'Kind' is missing in '${text.toString()}'`);
  const { group, version } = parseGroupVersion(apiVersion ?? '') ?? { group: '', version: apiVersion ?? '' };
  if (group === '' && version === '') throw new Error(`failed decoding: Object 'apiVersion' is missing in '${text.toString()}'`);
  if (kind !== policyKind.kind || group !== policyKind.group || version !== policyKind.version) {
    throw new Error(
      `failed decoding: no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion ?? '')} in scheme "pkg/audit/scheme.go:30"`,
    );
  }
  if (strictErrors.length > 0) {
    const why = `strict decoding error: ${strictErrors.join(', ')}`;
    log.warn(`Audit policy contains errors, falling back to lenient decoding: ${why}`);
  }
  const policy = object as unknown as Policy;
  const errors = validatePolicy(policy);
  if (errors.length > 0) throw new Error(aggregateMessage(errors));
  if ((policy.rules ?? []).length === 0) throw new Error('loaded illegal policy with 0 rules');
  return policy;
}

function decode(text: Buffer): Decoded {
  const type = createSchema().typeOf(policyKind);
  if (type === undefined) throw new Error('the schema has no audit policies');
  try {
    return createYamlCodec(createJsonCodec()).decode(text, type, 'strict');
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new Error(`failed decoding: ${error.message}`, { cause: error });
  }
}
