// Upstream: k8s.io/apiserver/pkg/admission/config.go
import { dirname, isAbsolute, join } from 'node:path';
import { readYaml } from '../machinery/codec/yaml/read.ts';
import { goQuote } from '../machinery/go-format.ts';
import { requireKind } from '../server/object/configuration-kind.ts';
import type { TextSource } from '../base/text-source.ts';
import { readText } from '../base/text-source.ts';

interface AdmissionConfiguration {
  readonly plugins?: readonly { readonly name: string; readonly path?: string; readonly configuration?: unknown }[];
}

const apiVersions = ['apiserver.config.k8s.io/v1', 'apiserver.k8s.io/v1alpha1'];
/** Before the file had a kind of its own it was that of a plugin. */
const legacyPlugins: Readonly<Record<string, string>> = {
  podNodeSelectorPluginConfig: 'PodNodeSelector',
  imagePolicy: 'ImagePolicyWebhook',
};

/** What an AdmissionConfiguration says to each plugin, in it or in a file beside it. */
export function readAdmissionConfiguration(source: TextSource | undefined): ReadonlyMap<string, unknown> {
  if (source === undefined) return new Map();
  try {
    return read(source);
  } catch (error) {
    throw new Error(`failed to apply admission: failed to read plugin config: ${(error as Error).message}`, { cause: error });
  }
}

function read(source: TextSource): ReadonlyMap<string, unknown> {
  const text = textOf(source);
  const folder = typeof source === 'string' ? '.' : dirname(source.file);
  const content = readYaml(text).value;
  const legacy = Object.entries(legacyPlugins).find(([field]) => Object.hasOwn(Object(content), field));
  if (legacy !== undefined) return new Map([[legacy[1], content]]);
  requireKind(content, 'AdmissionConfiguration', apiVersions, text);
  const { plugins = [] } = content as AdmissionConfiguration;
  return new Map(
    plugins.map(({ name, path = '', configuration }) => {
      if (configuration !== undefined || path === '') return [name, configuration];
      return [name, readYaml(readText({ file: isAbsolute(path) ? path : join(folder, path) })).value];
    }),
  );
}

function textOf(source: TextSource): string {
  try {
    return readText(source);
  } catch (error) {
    const file = typeof source === 'string' ? '' : source.file;
    throw new Error(`unable to read admission control configuration from ${goQuote(file)} [${(error as Error).message}]`, { cause: error });
  }
}
