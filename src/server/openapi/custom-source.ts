import { deepEqual } from '../../machinery/deep-equal.ts';
import type { CustomKind } from '../../openapi/custom-kind.ts';
import type { BuiltInSource } from './built-in-source.ts';
import type { DocumentContent, DocumentSource } from './document-source.ts';
import { PartWriter } from './document-source.ts';
import type { Slices } from '../../base/slices.ts';

/** The documents of custom resources, which come and go; one for each of their group versions. */
export class CustomSource implements DocumentSource {
  readonly #builtIn: BuiltInSource;
  /** by group, then by version and plural */
  readonly #groups = new Map<string, ReadonlyMap<string, CustomKind>>();
  /** by the name of their document */
  readonly #documents = new Map<string, readonly CustomKind[]>();
  readonly #changes = new Map<string, number>();
  #generation = 0;

  constructor(builtIn: BuiltInSource) {
    this.#builtIn = builtIn;
  }

  /** Publishes what a group has now, all versions of all its kinds; what it had before is gone. Kinds that are alike are not changed. */
  publishGroup(group: string, kinds: readonly CustomKind[]): void {
    const before = this.#groups.get(group) ?? new Map<string, CustomKind>();
    const after = new Map<string, CustomKind>();
    for (const kind of kinds) {
      const known = before.get(keyOf(kind));
      after.set(keyOf(kind), known !== undefined && (known === kind || deepEqual(known, kind)) ? known : kind);
    }
    const changed = new Set<string>();
    for (const [key, kind] of before) if (after.get(key) !== kind) changed.add(nameOf(kind));
    for (const [key, kind] of after) if (before.get(key) !== kind) changed.add(nameOf(kind));
    if (changed.size === 0) return;
    if (after.size === 0) this.#groups.delete(group);
    else this.#groups.set(group, after);
    const byName = Map.groupBy(after.values(), nameOf);
    for (const name of changed) {
      this.#changes.set(name, ++this.#generation);
      const inDocument = byName.get(name);
      if (inDocument === undefined) this.#documents.delete(name);
      else this.#documents.set(name, inDocument);
    }
  }

  get kinds(): readonly CustomKind[] {
    return [...this.#documents.values()].flat();
  }

  get names(): readonly string[] {
    return [...this.#documents.keys()];
  }

  has(name: string): boolean {
    return this.#documents.has(name);
  }

  generationOf(name: string): number {
    return this.#changes.get(name) ?? 0;
  }

  /** of everything together */
  get generation(): number {
    return this.#generation;
  }

  async make(name: string, previous: DocumentContent | undefined, slices: Slices): Promise<DocumentContent> {
    const documents = await this.#builtIn.documents();
    const generation = this.generationOf(name);
    const kinds = this.#documents.get(name) ?? [];
    const writer = new PartWriter('v3', previous, slices);
    // Of what kinds need only a scale makes a difference.
    const needs = kinds.some(({ scale }) => scale) ? 'kinds with scale' : 'kinds';
    await writer.write(needs, () => documents.neededByCustom(kinds));
    for (const kind of kinds) await writer.write(kind, () => [documents.custom(kind, 'v3')]);
    return { generation, layout: documents.customLayoutV3, tables: writer.tables(), parts: writer.parts };
  }
}

function keyOf({ version, plural }: CustomKind): string {
  return `${version}/${plural}`;
}

function nameOf({ group, version }: CustomKind): string {
  return `apis/${group}/${version}`;
}
