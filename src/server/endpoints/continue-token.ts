// Upstream: k8s.io/apiserver/pkg/storage/continue.go
import { checkSyntax } from '../../machinery/codec/json/syntax.ts';
import { ApiError, badRequest, resourceExpired } from '../../machinery/errors.ts';

/** Where the next page begins. `revision` -1 asks for the newest state, whatever happened meanwhile. */
export interface ContinueToken {
  readonly revision: number;
  /** key below the prefix of the list */
  readonly start: string;
}

const tokenVersion = 'meta.k8s.io/v1';

export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start })).toString('base64url');
}

export function decodeContinue(token: string): ContinueToken {
  try {
    return decode(token);
  } catch (error) {
    throw badRequest(`invalid continue token: continue key is not valid: ${(error as Error).message}`, { cause: error });
  }
}

function decode(token: string): ContinueToken {
  const bytes = Buffer.from(token, 'base64url');
  const illegal = firstIllegal(token);
  if (illegal !== undefined) throw new Error(`illegal base64 data at input byte ${illegal}`);
  checkSyntax(bytes);
  const { v, rv, start } = (JSON.parse(bytes.toString()) ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== tokenVersion) throw new Error(`server does not recognize this encoded version ${String(v ?? '')}`);
  if (typeof rv !== 'number' || rv === 0) throw new Error('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '') throw new Error('encoded start key empty (version meta.k8s.io/v1)');
  const clean = normalize(start);
  if (clean !== start) throw new Error(start);
  return { revision: rv, start };
}

/** Where the token stops being base64; a last letter alone is not enough for a byte. */
function firstIllegal(token: string): number | undefined {
  const at = token.search(/[^A-Za-z0-9_-]/);
  if (at >= 0) return at;
  return token.length % 4 === 1 ? token.length - 1 : undefined;
}

/** A key must not climb out of its prefix. */
function normalize(start: string): string {
  const parts: string[] = [];
  for (const part of start.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const joined = parts.join('/');
  return start.endsWith('/') && joined !== '' ? `${joined}/` : joined;
}

const tooOld =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** 410 that carries a token for going on with the newest state. */
export function expiredContinue(start: string): ApiError {
  const { status } = resourceExpired(tooOld);
  return new ApiError({ ...status, metadata: { continue: encodeContinue({ revision: -1, start }) } });
}
