// Upstream: apiserver/pkg/admission/config.go
import { dirname, isAbsolute, join } from 'node:path';
import { readYaml } from '../machinery/codec/yaml/read.ts';
import { readPem } from './serving-certificate.ts';

interface AdmissionConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly plugins?: readonly { readonly name: string; readonly path?: string; readonly configuration?: unknown }[];
}

const versions: ReadonlySet<string> = new Set(['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1']);

/** What --admission-control-config-file says to each plugin, in it or in a file beside it. */
export function readAdmissionConfiguration(file: string): ReadonlyMap<string, unknown> {
  if (file === '') return new Map();
  const { apiVersion = '', kind = '', plugins = [] } = readYaml(readPem(file)).value as AdmissionConfiguration;
  if (kind !== 'AdmissionConfiguration' || !versions.has(apiVersion)) {
    throw new Error(
      `unable to read admission control configuration from ${JSON.stringify(file)}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
    );
  }
  return new Map(
    plugins.map(({ name, path = '', configuration }) => {
      if (configuration !== undefined || path === '') return [name, configuration];
      return [name, readYaml(readPem(isAbsolute(path) ? path : join(dirname(file), path))).value];
    }),
  );
}
