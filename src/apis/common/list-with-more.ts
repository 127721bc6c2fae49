// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#listWithMoreString

/** `a,b,c + 2 more...`: what fits into a cell. */
export function listWithMore(items: readonly string[], shown: number): string {
  const text = items.slice(0, shown).join(',');
  return items.length > shown ? `${text} + ${items.length - shown} more...` : text || '<unset>';
}
