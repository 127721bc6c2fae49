// Upstream: pkg/apis/core/types.go (MaxSecretSize)

/** What a Secret or a ConfigMap may hold at most: the values of its keys together. */
export const KEYED_DATA_MAX_BYTES = 1024 * 1024;
