// Upstream: k8s.io/kubernetes/pkg/apis/core/types.go#MaxSecretSize

/** What a Secret or a ConfigMap may hold at most: the values of its keys together. */
export const keyedDataMaxBytes = 1024 * 1024;

/** A null among binary values is read back as an empty one, since protobuf cannot tell them apart. */
export function fillNulls(data: Record<string, string | null> | undefined): void {
  for (const key in data) data[key] ??= '';
}
