// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodLogOptions, k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#LogLocation
import { badRequest } from '../../../machinery/errors.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, notSupported } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { asInt64 } from '../../../machinery/go-number.ts';
import { formatTime, parseTime } from '../../../machinery/time.ts';

const all = 'All';
const streams = [all, 'Stderr', 'Stdout'];

/** What a client wants to see of a log. */
export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: bigint | undefined;
  readonly sinceTime: string | undefined;
  readonly tailLines: bigint | undefined;
  readonly limitBytes: bigint | undefined;
  readonly stream: string | undefined;
  readonly insecureSkipTlsVerifyBackend: boolean;
}

export function readLogOptions(query: URLSearchParams, mayChooseStream: boolean): LogOptions {
  return {
    container: query.get('container') ?? '',
    follow: flag(query, 'follow'),
    previous: flag(query, 'previous'),
    timestamps: flag(query, 'timestamps'),
    sinceSeconds: integer(query, 'sinceSeconds'),
    sinceTime: time(query, 'sinceTime'),
    tailLines: integer(query, 'tailLines'),
    limitBytes: integer(query, 'limitBytes'),
    stream: query.get('stream') ?? (mayChooseStream ? all : undefined),
    insecureSkipTlsVerifyBackend: flag(query, 'insecureSkipTLSVerifyBackend'),
  };
}

export function validateLogOptions(options: LogOptions, mayChooseStream: boolean): FieldError[] {
  const { tailLines, limitBytes, sinceSeconds, sinceTime, stream } = options;
  const errors: FieldError[] = [];
  const root = FieldPath.root('');
  if (tailLines !== undefined && tailLines < 0n)
    errors.push(invalid(FieldPath.root('tailLines'), tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1n) errors.push(invalid(FieldPath.root('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden(root, 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1n)
    errors.push(invalid(FieldPath.root('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  const path = FieldPath.root('stream');
  if (!mayChooseStream) {
    if (stream !== undefined) errors.push(forbidden(path, 'may not be specified'));
    return errors;
  }
  if (stream !== undefined && !streams.includes(stream)) errors.push(notSupported(path, stream, streams));
  if (stream !== all && tailLines !== undefined)
    errors.push(forbidden(root, '`tailLines` and specific `stream` are mutually exclusive for now'));
  return errors;
}

/** As kubelets understand it. */
export function logQuery(options: LogOptions): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ['follow', 'limitBytes', 'previous', 'sinceSeconds', 'sinceTime', 'stream', 'tailLines', 'timestamps'] as const) {
    const value = options[name];
    if (value !== undefined && value !== false) query.set(name, String(value));
  }
  return query;
}

/** Whatever is not false is true. */
export function flag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
}

function integer(query: URLSearchParams, name: string): bigint | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = asInt64(text);
  if (value === undefined) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  return value;
}

function time(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (text === '' || text === 'null') return '0001-01-01T00:00:00Z';
  try {
    return formatTime(parseTime(text));
  } catch (error) {
    throw badRequest((error as Error).message, { cause: error });
  }
}
