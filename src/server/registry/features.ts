/** Feature gates of this server: asked by name, fixed once the server has started. */
export interface FeatureGates {
  enabled(name: string): boolean;
}

export const noFeatures: FeatureGates = { enabled: () => false };
