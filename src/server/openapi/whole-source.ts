import type { DocumentEntry } from '../../openapi/document-entry.ts';
import type { Tables } from '../../openapi/document-layout.ts';
import { mergedPart } from '../../openapi/merge-v2.ts';
import type { Lookup, LookupTables, MergeableV2 } from '../../openapi/merge-v2.ts';
import { tableNames } from '../../openapi/gnostic/document-tables.ts';
import type { AggregatedSource } from './aggregated-source.ts';
import type { BuiltInSource } from './built-in-source.ts';
import type { CustomSource } from './custom-source.ts';
import type { DocumentContent, DocumentSource } from './document-source.ts';
import { PartWriter } from './document-source.ts';
import type { Slices } from '../../base/slices.ts';

const documentName = 'v2';

/** The one document of OpenAPI 2. */
export class WholeSource implements DocumentSource {
  readonly names = [documentName];
  readonly #builtIn: BuiltInSource;
  readonly #custom: CustomSource;
  readonly #aggregated: AggregatedSource;

  constructor(builtIn: BuiltInSource, custom: CustomSource, aggregated: AggregatedSource) {
    this.#builtIn = builtIn;
    this.#custom = custom;
    this.#aggregated = aggregated;
  }

  has(name: string): boolean {
    return name === documentName;
  }

  generationOf(): number {
    return this.#custom.generation + this.#aggregated.generation;
  }

  async make(_name: string, previous: DocumentContent | undefined, slices: Slices): Promise<DocumentContent> {
    const documents = await this.#builtIn.documents();
    const generation = this.generationOf();
    const { kinds } = this.#custom;
    const others = this.#aggregated.documents;
    const writer = new PartWriter('v2', previous, slices);
    await writer.write('built in', () => documents.v2());
    const ownNames = new Set(writer.parts.get('built in')?.map(([table, { name }]) => `${table} ${name}`));
    const own = writer.tables();
    for (const kind of kinds) {
      await writer.write(kind, () => {
        const part = documents.custom(kind, 'v2');
        const overlaps = tableNames.some(
          (table) => table !== 'parameters' && someKey(part[table], (name) => ownNames.has(`${table} ${name}`)),
        );
        // What the server has itself stays as it is, whatever a definition is called.
        return overlaps ? [mergedPart(lookups(own), part as MergeableV2) ?? {}] : [part];
      });
    }
    let tables = writer.tables();
    for (const other of others) {
      const part = mergedPart(lookups(tables), other);
      if (part === undefined) continue;
      // What is merged depends on all that is there already: it is not taken over.
      await writer.write({}, () => [part]);
      tables = writer.tables();
    }
    return { generation, layout: documents.layoutV2, tables, parts: writer.parts };
  }
}

function someKey(table: Readonly<Record<string, object>> | undefined, matches: (name: string) => boolean): boolean {
  for (const name in table) if (matches(name)) return true;
  return false;
}

function lookups({ paths, definitions, parameters }: Tables): LookupTables {
  return { paths: lookup(paths), definitions: lookup(definitions), parameters: lookup(parameters) };
}

function lookup(entries: Tables['paths']): Lookup {
  const byName = new Map<string, DocumentEntry>(entries.map((entry) => [entry.name, entry]));
  return { has: (name) => byName.has(name), get: (name) => byName.get(name)?.value };
}
