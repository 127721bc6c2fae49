import type { ClassTable } from './client-node.ts';
import { readModel, readOperations } from './client-node.ts';
import { readModule } from './kubernetes-types.ts';
import type { ShortTable } from './pulumi.ts';
import { readList, readTypes } from './pulumi.ts';
import { filesIn } from './tar.ts';

/** Types of which no package tells, but for fields without words of their own: there stand those of the type they refer to. */
const borrowed: Readonly<Record<string, readonly [className: string, field: string]>> = {
  'apiextensions.v1.JSON': ['V1JSONSchemaProps', 'example'],
  'apiextensions.v1.JSONSchemaPropsOrArray': ['V1JSONSchemaProps', 'items'],
  'apiextensions.v1.JSONSchemaPropsOrBool': ['V1JSONSchemaProps', 'additionalItems'],
  'util.intstr.IntOrString': ['V1RollingUpdateDaemonSet', 'maxSurge'],
};
const wordless: ReadonlySet<string> = new Set(
  ['example', 'items', 'additionalItems', 'additionalProperties'].map((field) => `apiextensions.v1.JSONSchemaProps ${field}`),
);

const wantedOfPulumi = /^package\/(types\/output|\w+\/v\w+\/\w+List)\.d\.ts$/;
const wantedOfClient = /^package\/dist\/gen\/(models\/\w+|apis\/(Core|Scheduling)V1Api)\.d\.ts$/;

export interface Archives {
  readonly pulumi: Buffer;
  readonly clientNode: Buffer;
  readonly kubernetesTypes: Buffer;
}

/** What the packages say, put together: the youngest words, with the spaces of the one that kept them. */
export class Prose {
  readonly #types: ShortTable = new Map();
  readonly #classes: ClassTable = new Map();
  readonly #options: ShortTable = new Map();
  readonly #old: ShortTable = new Map();

  constructor({ pulumi, clientNode, kubernetesTypes }: Archives) {
    for (const { path, text } of filesIn(pulumi, (one) => wantedOfPulumi.test(one))) {
      if (path.endsWith('output.d.ts')) readTypes(text, this.#types);
      else readList(path.slice('package'.length), text, this.#types);
    }
    for (const { path, text } of filesIn(clientNode, (one) => wantedOfClient.test(one))) {
      if (path.includes('/models/')) readModel(text, this.#classes);
      else readOperations(text, this.#options);
    }
    for (const { path, text } of filesIn(kubernetesTypes, (one) => one.endsWith('.d.ts'))) {
      readModule(path.slice('package/'.length), text, this.#old);
    }
  }

  /** Of a field of `core.v1.Pod`; of the type itself at the empty name. */
  textOf(short: string, field: string): string | undefined {
    if (wordless.has(`${short} ${field}`)) return undefined;
    const lender = field === '' ? borrowed[short] : undefined;
    if (lender !== undefined) return this.#classes.get(lender[0])?.get(lender[1])?.replaceAll('\n\n', '  ');
    const [group = '', version = '', name = ''] = short.split('.');
    for (const one of [field, field.replaceAll('-', '_')]) {
      const young =
        this.#types.get(short)?.get(one) ??
        this.#options.get(short)?.get(one) ??
        this.#classes.get(`${capital(group)}${capital(version)}${name}`)?.get(one) ??
        this.#classes.get(`${capital(version)}${name}`)?.get(one);
      const old = this.#old.get(short)?.get(one);
      const chosen = young === undefined || (old !== undefined && words(old) === words(young)) ? old : young;
      if (chosen !== undefined) return chosen;
    }
    // What one kind says of its kind and apiVersion, all say.
    return field === 'kind' || field === 'apiVersion' ? this.#types.get('core.v1.Pod')?.get(field) : undefined;
  }
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
