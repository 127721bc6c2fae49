// Upstream: k8s.io/apiserver/pkg/storage/etcd3/store.go#New
import { posix } from 'node:path';

/** What every key starts with, as `--etcd-prefix` says it: a path from the root, whether it is written so or not. */
export function storagePrefix(flag: string): string {
  return posix.join('/', flag).replace(/\/$/, '');
}
