/** The Kubernetes release whose API this server speaks. */
export const kubernetesVersion = { major: 1, minor: 37, patch: 1 } as const;
