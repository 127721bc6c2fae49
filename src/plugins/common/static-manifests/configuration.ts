// Upstream: k8s.io/apiserver/pkg/admission/plugin/{webhook/config/kubeconfig.go,policy/config/config.go,manifest/validation.go}
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, aggregateMessage, forbidden, invalid } from '../../../machinery/field.ts';
import { unknownFields } from '../../../machinery/strict-shape.ts';
import { requireKind } from '../../../server/object/configuration-kind.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';

/** What a plugin's part of --admission-control-config-file says; '' where it says nothing. */
export interface StaticConfiguration {
  readonly staticManifestsDir: string;
  readonly kubeConfigFile: string;
}

const apiVersions = ['apiserver.config.k8s.io/v1'];
export const staticManifestsGate = 'ManifestBasedAdmissionControlConfig';
/** Names of objects in files end so, and no others. */
export const nameSuffix = '.static.k8s.io';

/** `fields`: those that the kind has. Throws when the configuration is not one of this kind, or not to be followed. */
export function readStaticConfiguration(
  configuration: unknown,
  kind: string,
  fields: readonly (keyof StaticConfiguration)[],
  features: FeatureGates,
): StaticConfiguration {
  const nothing: StaticConfiguration = { staticManifestsDir: '', kubeConfigFile: '' };
  if (configuration === undefined) return nothing;
  requireKind(configuration, kind, apiVersions);
  const shape = Object.fromEntries(['kind', 'apiVersion', ...fields].map((field) => [field, 'string' as const]));
  const unknown = unknownFields(configuration, { name: kind, fields: shape });
  if (unknown.length > 0) throw new Error(`strict decoding error: ${unknown.join(', ')}`);
  const read = { ...nothing, ...(configuration as Partial<StaticConfiguration>) };
  const [problem] = [...problems(read, features)];
  if (problem !== undefined) throw new Error(aggregateMessage([problem]));
  return read;
}

function* problems({ kubeConfigFile, staticManifestsDir: directory }: StaticConfiguration, features: FeatureGates): Generator<FieldError> {
  const absolute = 'must be an absolute file path';
  if (kubeConfigFile !== '' && !isAbsolute(kubeConfigFile)) yield invalid(FieldPath.root('kubeConfigFile'), kubeConfigFile, absolute);
  if (directory === '') return;
  const path = FieldPath.root('staticManifestsDir');
  if (!features.enabled(staticManifestsGate))
    yield forbidden(path, `staticManifestsDir requires the ${staticManifestsGate} feature gate to be enabled`);
  if (!isAbsolute(directory)) yield invalid(path, directory, absolute);
  try {
    if (!statSync(directory).isDirectory()) yield invalid(path, directory, 'must be a directory');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `stat ${directory}: no such file or directory` : message;
    yield invalid(path, directory, `unable to read: ${why}`);
  }
}
