// Upstream: k8s.io/apiserver/pkg/server/options/etcd.go#ParseWatchCacheSizes
import type { GroupResource } from '../../machinery/errors.ts';

export interface WatchCacheSize {
  /** as it was named */
  readonly name: string;
  readonly of: GroupResource;
  readonly size: number;
}

/** `resource[.group]#size`; a text is what is wrong with the first that is not. */
export function parseWatchCacheSizes(texts: readonly string[]): WatchCacheSize[] | string {
  const sizes: WatchCacheSize[] = [];
  for (const text of texts) {
    const [name = '', number, ...rest] = text.split('#');
    if (number === undefined || rest.length > 0) return `invalid value of watch cache size: ${text}`;
    if (!/^[+-]?\d+$/.test(number) || !Number.isSafeInteger(Number(number))) return `invalid size of watch cache size: ${text}`;
    if (Number(number) < 0) return `watch cache size cannot be negative: ${text}`;
    const dot = name.indexOf('.');
    const of = dot < 0 ? { group: '', resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
    sizes.push({ name, of, size: Number(number) });
  }
  return sizes;
}
