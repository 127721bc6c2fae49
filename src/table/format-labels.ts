// Upstream: k8s.io/apimachinery/pkg/labels/labels.go#FormatLabels

/** `app=web,tier=front`, sorted, or `<none>` */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.sort().join(',') || '<none>';
}
