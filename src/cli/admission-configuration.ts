// Upstream: apiserver/pkg/admission/config.go
import { dirname, isAbsolute, join } from 'node:path';
import { readYaml } from '../machinery/codec/yaml/read.ts';
import { goQuote } from '../machinery/go-format.ts';
import { requireKind } from '../server/object/configuration-kind.ts';
import { readPem } from './serving-certificate.ts';

interface AdmissionConfiguration {
  readonly plugins?: readonly { readonly name: string; readonly path?: string; readonly configuration?: unknown }[];
}

const apiVersions = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1'];
/** Before the file had a kind of its own it was that of a plugin. */
const legacyPlugins: Readonly<Record<string, string>> = {
  podNodeSelectorPluginConfig: 'PodNodeSelector',
  imagePolicy: 'ImagePolicyWebhook',
};

/** What --admission-control-config-file says to each plugin, in it or in a file beside it. */
export function readAdmissionConfiguration(file: string): ReadonlyMap<string, unknown> {
  if (file === '') return new Map();
  try {
    return read(file);
  } catch (error) {
    throw new Error(`failed to apply admission: failed to read plugin config: ${(error as Error).message}`, { cause: error });
  }
}

function read(file: string): ReadonlyMap<string, unknown> {
  const text = textOf(file);
  const content = readYaml(text).value;
  const legacy = Object.entries(legacyPlugins).find(([field]) => Object.hasOwn(Object(content), field));
  if (legacy !== undefined) return new Map([[legacy[1], content]]);
  requireKind(content, 'AdmissionConfiguration', apiVersions, text);
  const { plugins = [] } = content as AdmissionConfiguration;
  return new Map(
    plugins.map(({ name, path = '', configuration }) => {
      if (configuration !== undefined || path === '') return [name, configuration];
      return [name, readYaml(readPem(isAbsolute(path) ? path : join(dirname(file), path))).value];
    }),
  );
}

function textOf(file: string): string {
  try {
    return readPem(file);
  } catch (error) {
    throw new Error(`unable to read admission control configuration from ${goQuote(file)} [${(error as Error).message}]`, { cause: error });
  }
}
