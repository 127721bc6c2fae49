// Upstream: k8s.io/apiserver/pkg/audit/policy/reader.go
import { readFileSync } from 'node:fs';
import type { Logger } from '../../../base/log.ts';
import { createJsonCodec } from '../../../machinery/codec/json/codec.ts';
import type { Decoded } from '../../../machinery/codec/json/codec.ts';
import { createYamlCodec } from '../../../machinery/codec/yaml/codec.ts';
import { DecodeError } from '../../../machinery/codec/decode-error.ts';
import { aggregateMessage } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { createSchema } from '../../../schema/index.ts';
import type { Policy } from '../../../schema/types/audit-v1.ts';
import { validatePolicy } from './policy-validation.ts';

const policyKind = { group: 'audit.k8s.io', version: 'v1', kind: 'Policy' } as const;
const otherKinds: readonly string[] = ['PolicyList', 'Event', 'EventList'];

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
  checkKind(object);
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

/** A document that does not say what it is has the kind that is wanted, but no version that is known. */
function checkKind({ kind: stated = '', apiVersion = '' }: { readonly kind?: string; readonly apiVersion?: string }): void {
  const kind = stated || policyKind.kind;
  if (apiVersion === '') throw new Error(`unknown group version field ${policyKind.group}/__internal, Kind=${kind} in policy`);
  if (apiVersion === `${policyKind.group}/${policyKind.version}` && kind === policyKind.kind) return;
  const isKnown = apiVersion === `${policyKind.group}/${policyKind.version}` && otherKinds.includes(kind);
  const why = isKnown
    ? `converting (${policyKind.version}.${kind}) to (audit.Policy): unknown conversion`
    : `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  throw new Error(`failed decoding: ${why}`);
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
