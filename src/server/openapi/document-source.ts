import { tablesOf } from '../../openapi/document-bytes.ts';
import type { DocumentEntry } from '../../openapi/document-entry.ts';
import type { DocumentLayout, Tables } from '../../openapi/document-layout.ts';
import type { DocumentPart, TableName } from '../../openapi/gnostic/document-tables.ts';
import { writeEntries } from '../../openapi/document-entry.ts';
import type { Form } from '../../openapi/schema-object.ts';
import type { Slices } from '../../base/slices.ts';

/** The written entries of a part. */
export type WrittenPart = readonly (readonly [TableName, DocumentEntry])[];

/** A document as its source makes it. */
export interface DocumentContent {
  /** of the source when its content was taken */
  readonly generation: number;
  readonly layout: DocumentLayout;
  readonly tables: Tables;
  /** what was written for whom: the next document takes over what has not changed */
  readonly parts: ReadonlyMap<object | string, WrittenPart>;
}

/** Documents by name, made on demand. A document that changes says so by its generation. */
export interface DocumentSource {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** changes with the content of the document */
  generationOf(name: string): number;
  make(name: string, previous: DocumentContent | undefined, slices: Slices): Promise<DocumentContent>;
}

/** Writes parts, or takes over what was written for the same owner. */
export class PartWriter {
  readonly parts = new Map<object | string, WrittenPart>();
  readonly #form: Form;
  readonly #previous: DocumentContent['parts'] | undefined;
  readonly #slices: Slices;

  constructor(form: Form, previous: DocumentContent | undefined, slices: Slices) {
    this.#form = form;
    this.#previous = previous?.parts;
    this.#slices = slices;
  }

  /** @param make is asked only if nothing is there yet */
  async write(owner: object | string, make: () => Iterable<DocumentPart>): Promise<void> {
    const known = this.#previous?.get(owner);
    const written = known ?? [];
    if (known === undefined) {
      for (const part of make()) {
        for (const entry of writeEntries(this.#form, part)) {
          (written as (typeof entry)[]).push(entry);
          await this.#slices.pause();
        }
        await this.#slices.pause();
      }
    }
    this.parts.set(owner, written);
  }

  tables(): Tables {
    return tablesOf([...this.parts.values()].flat());
  }
}
