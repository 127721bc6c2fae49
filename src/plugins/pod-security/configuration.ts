// Upstream: k8s.io/pod-security-admission/admission/api/{load,validation}
import type { Level, Policy } from './checks/level.ts';
import { parseLevel, parseMinor } from './checks/level.ts';

export interface PodSecurityConfiguration {
  readonly defaults: Policy;
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

interface ConfigurationFile {
  readonly defaults?: Readonly<Record<string, string>>;
  readonly exemptions?: Readonly<Record<string, readonly string[]>>;
}

/** The plugin's part of --admission-control-config-file; without one nothing is enforced. */
export function readConfiguration(configuration: unknown): PodSecurityConfiguration {
  const { defaults = {}, exemptions = {} } = (configuration ?? {}) as ConfigurationFile;
  const of = (mode: keyof Policy): { level: Level; minor: number } => {
    const level = parseLevel(defaults[mode] ?? 'privileged');
    const minor = parseMinor(defaults[`${mode}-version`] ?? 'latest');
    if (level === undefined)
      throw new Error(
        `defaults.${mode}: Invalid value: ${JSON.stringify(defaults[mode])}: must be one of privileged, baseline, restricted`,
      );
    if (minor === undefined) {
      throw new Error(
        `defaults.${mode}-version: Invalid value: ${JSON.stringify(defaults[`${mode}-version`])}: must be "latest" or "v1.x"`,
      );
    }
    return { level, minor };
  };
  return {
    defaults: { enforce: of('enforce'), audit: of('audit'), warn: of('warn') },
    exemptions: {
      usernames: exemptions['usernames'] ?? [],
      namespaces: exemptions['namespaces'] ?? [],
      runtimeClasses: exemptions['runtimeClasses'] ?? [],
    },
  };
}
