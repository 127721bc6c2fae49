import { placeOf } from '../../src/controlplane/bootstrap/stored-form.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { KubeObject } from '../../src/machinery/kube-object.ts';
import { startApiServer } from '../../src/index.ts';
import { ServerWriter } from '../../src/server/registry/server-writer.ts';
import { templateOf } from '../../src/server/registry/stored-text.ts';
import { createMemoryStorage } from '../../src/storage/drivers/memory/memory-storage.ts';

/** Kinds of which all objects that a start makes are the same everywhere. */
const prefixes: Readonly<Record<string, string>> = {
  namespaces: '/registry/namespaces/',
  priorityclasses: '/registry/priorityclasses/',
  prioritylevelconfigurations: '/registry/prioritylevelconfigurations/',
  flowschemas: '/registry/flowschemas/',
  apiservices: '/registry/apiregistration.k8s.io/apiservices/',
};

/** Where an object is, what the server makes it of, and a template of what is stored of it when the server has started. */
export type BootstrapForm = readonly [place: string, given: string, template: string];

/** What a server that makes all of them by their rules has stored in the end. */
export async function bootstrapForms(): Promise<BootstrapForm[]> {
  const wanted: { readonly place: string; readonly key: string; readonly given: string }[] = [];
  const { ensure } = ServerWriter.prototype;
  ServerWriter.prototype.ensure = function (
    this: ServerWriter,
    group: string,
    plural: string,
    object: KubeObject,
    manager = 'kube-apiserver',
  ) {
    const prefix = prefixes[plural];
    if (prefix === undefined) return ensure.call(this, group, plural, object, manager);
    const key = prefix + (object.metadata.name ?? '');
    if (wanted.some((one) => one.key === key)) return Promise.resolve();
    wanted.push({ place: placeOf(group, plural, manager), key, given: JSON.stringify(object) });
    return this.make(group, plural, object, manager);
  };
  try {
    const storage = createMemoryStorage();
    const now = Date.now();
    await using _ = await startApiServer({ storage, clock: { ...systemClock, now: () => now } });
    const forms: BootstrapForm[] = [];
    for (const { place, key, given } of wanted.sort((one, other) => (one.key < other.key ? -1 : 1))) {
      const { kv } = await storage.get(key);
      if (kv === undefined) throw new Error(`there is nothing at ${key}`);
      forms.push([place, given, templateOf(kv.value.toString())]);
    }
    return forms;
  } finally {
    ServerWriter.prototype.ensure = ensure;
  }
}

/** The source of `bootstrap-objects.generated.ts`. */
export function formsSource(forms: readonly BootstrapForm[]): string {
  const literal = (text: string): string => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
  const lines = forms.map((form) => `  [\n${form.map((text) => `    ${literal(text)},\n`).join('')}  ],\n`).join('');
  return `// Made by \`npm run generate\`; do not edit.\nexport const bootstrapObjects: readonly (readonly [place: string, given: string, template: string])[] = [\n${lines}];\n`;
}
