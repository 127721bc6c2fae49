// Upstream: k8s.io/apiserver/pkg/authentication/token/cache/cached_token_authenticator.go
import { hash } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { TokenAuthenticator, TokenHolder } from '../../registry/tokens.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

const maxEntries = 8192;

export interface TokenCacheOptions {
  readonly clock: Clock;
  /** how long it is remembered who a token stands for */
  readonly successTtlMs: number;
  /** the same for unknown tokens; failures are never kept */
  readonly unknownTtlMs: number;
  /** undefined: not counted */
  readonly metrics?: TokenCacheMetrics | undefined;
}

interface Known {
  readonly holder: TokenHolder | undefined;
  readonly expires: number;
}

/** Remembers who a token stands for, so that the authenticator is asked once in a while; requests at the same time share the result. */
export function cachedTokenAuthenticator(authenticate: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  const { clock, successTtlMs, unknownTtlMs, metrics } = options;
  const known = new Map<string, Known>();
  const asked = new Map<string, Promise<TokenHolder | undefined>>();
  const remember = (key: string, holder: TokenHolder | undefined): TokenHolder | undefined => {
    known.delete(key);
    const ttlMs = holder === undefined ? unknownTtlMs : successTtlMs;
    if (ttlMs <= 0) return holder;
    if (known.size >= maxEntries) known.delete(known.keys().next().value as string);
    known.set(key, { holder, expires: clock.elapsed() + ttlMs });
    return holder;
  };
  const fetch = async (key: string, ...question: Parameters<TokenAuthenticator>): Promise<TokenHolder | undefined> => {
    let status: 'ok' | 'error' = 'error';
    metrics?.fetchBegins();
    try {
      const holder = await authenticate(...question);
      status = 'ok';
      return remember(key, holder);
    } finally {
      metrics?.fetchEnds(status);
    }
  };
  const wait = async (answer: Promise<TokenHolder | undefined>, began: number): Promise<TokenHolder | undefined> => {
    metrics?.waits(1);
    try {
      return await answer;
    } finally {
      metrics?.waits(-1);
      metrics?.lookedUp('miss', began);
    }
  };
  return (token, audiences, reader) => {
    const began = performance.now();
    const key = keyOf(token, audiences);
    const found = known.get(key);
    if (found !== undefined && found.expires > clock.elapsed()) {
      metrics?.lookedUp('hit', began);
      return found.holder;
    }
    let answer = asked.get(key);
    if (answer === undefined) {
      answer = fetch(key, token, audiences, reader).finally(() => asked.delete(key));
      asked.set(key, answer);
    }
    return wait(answer, began);
  };
}

/** Tokens themselves are not kept in memory longer than their request. The client chooses both parts: no two pairs may look the same. */
function keyOf(token: string, audiences: readonly string[] | undefined): string {
  return hash('sha256', JSON.stringify([token, audiences]), 'base64');
}
