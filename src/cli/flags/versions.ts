// Upstream: k8s.io/component-base/compatibility/registry.go#Set, #toVersionMap
import { goQuote } from '../../machinery/go-format.ts';
import { parseBool } from '../../machinery/go-values.ts';
import type { EffectiveVersion } from '../../controlplane/effective-version.ts';
import { minCompatibilityOf, ownVersion } from '../../controlplane/effective-version.ts';

export interface VersionFlags {
  readonly 'emulated-version': readonly string[];
  readonly 'min-compatibility-version': readonly string[];
  readonly 'emulation-forward-compatible': boolean;
  readonly 'runtime-config-emulation-forward-compatible': boolean;
  readonly version: string;
}

/** Not a flag upstream either. */
const removedApisVariable = 'KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE';

/** Throws when the texts are no versions; whether they will do is not looked at. */
export function effectiveVersion(flags: VersionFlags, environment: NodeJS.ProcessEnv = process.env): EffectiveVersion {
  const emulation = readVersion(flags['emulated-version']) ?? ownVersion.emulation;
  return {
    emulation,
    minCompatibility: readVersion(flags['min-compatibility-version']) ?? minCompatibilityOf(emulation),
    forwardCompatible: flags['emulation-forward-compatible'],
    forwardCompatibleByName: flags['runtime-config-emulation-forward-compatible'],
    ...(parseBool(environment[removedApisVariable] ?? 'false') && { servesRemoved: true }),
    ...(flags.version.startsWith('v') && { reported: flags.version }),
  };
}

/** `[component=]major.minor`: the minor version of the one component that there is. */
function readVersion(texts: readonly string[]): number | undefined {
  let found: { readonly text: string; readonly minor: number } | undefined;
  for (const given of texts) {
    const text = given.includes('=') ? given : `kube=${given}`;
    const [component = '', version = '', ...rest] = text.split('=');
    if (rest.length > 0) throw new Error(`malformed pair, expect string=string`);
    if (component !== 'kube') throw new Error(`component not registered: ${component}`);
    const [, major, minor, patch] = /^v?(\d+)\.(\d+)(?:\.(\d+))?$/.exec(version.trim()) ?? [];
    if (major === undefined) throw new Error(`could not parse ${goQuote(version)} as version`);
    if (patch !== undefined && patch !== '0') throw new Error(`patch version not allowed, got: ${text}`);
    if (found !== undefined) throw new Error(`duplicate version flag, ${found.text} and ${text}`);
    // No release of another major version has an API: as far out of range as can be.
    found = { text, minor: major === '1' ? Number(minor) : Number(major) * 1000 };
  }
  return found?.minor;
}
