/** Feature gates of this server: asked by name, fixed once the server has started. */
export interface FeatureGates {
  enabled(name: string): boolean;
  /** No gate, but asked in the same places: whether containers may be privileged (--allow-privileged). Default: they may. */
  readonly allowPrivileged?: boolean;
}

export const noFeatures: FeatureGates = { enabled: () => false };
