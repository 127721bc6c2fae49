// Upstream: k8s.io/apiextensions-apiserver/pkg/registry/customresource/{strategy,validator}.go
import { goQuote } from '../../machinery/go-format.ts';
import { checkQualifiedName } from '../../machinery/names.ts';
import { finalizerDeleteDependents, finalizerOrphanDependents } from '../../machinery/object-meta.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const standardFinalizers: ReadonlySet<string> = new Set([finalizerOrphanDependents, finalizerDeleteDependents, 'kubernetes']);
const avoid = 'to avoid accidental conflicts with other finalizer writers';

/** Finalizers that are new and whose names may clash with those of others. */
export function finalizerWarnings({ metadata }: KubeObject, old: KubeObject | undefined): string[] {
  const before = new Set(old?.metadata.finalizers);
  const added = [...new Set(metadata.finalizers)].filter((name) => !before.has(name)).sort();
  return added.flatMap((name) => {
    const told = checkQualifiedName(name).map((fault) => `metadata.finalizers: ${goQuote(name)}: ${fault}`);
    if (name.includes('/') || standardFinalizers.has(name)) return told;
    const advice = name.includes('.')
      ? `prefer a domain-qualified finalizer name including a path (/) ${avoid}`
      : `prefer a domain-qualified finalizer name ${avoid}`;
    return [...told, `metadata.finalizers: ${goQuote(name)}: ${advice}`];
  });
}
