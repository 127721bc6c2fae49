import type { DocumentEntry, Encoding } from './document-entry.ts';
import { writeEntries } from './document-entry.ts';
import type { DocumentLayout, Tables } from './document-layout.ts';
import { documentPieces } from './document-layout.ts';
import type { DocumentPart, TableName } from './gnostic/document-tables.ts';
import { tableNames } from './gnostic/document-tables.ts';
import type { Form } from './schema-object.ts';

/** Entries by table, sorted by name; of entries with the same name the last one counts. */
export function tablesOf(entries: Iterable<readonly [TableName, DocumentEntry]>): Tables {
  const byName = new Map<TableName, Map<string, DocumentEntry>>(tableNames.map((table) => [table, new Map()]));
  for (const [table, entry] of entries) byName.get(table)?.set(entry.name, entry);
  const sorted = (table: TableName): DocumentEntry[] =>
    [...(byName.get(table)?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { paths: sorted('paths'), definitions: sorted('definitions'), parameters: sorted('parameters') };
}

/** A whole document at once, for those who need not let others through. */
export function documentBytes(form: Form, layout: DocumentLayout, parts: Iterable<DocumentPart>, encoding: Encoding): Buffer {
  const written = [...parts].flatMap((part) => [...writeEntries(form, part)]);
  const buffers = documentPieces(layout, tablesOf(written), encoding).flatMap((piece) => {
    if (piece.entries === undefined) return [piece.bytes];
    const separator = Buffer.from(piece.separator);
    return piece.entries.flatMap((entry, index) => (index === 0 ? [entry.in(encoding)] : [separator, entry.in(encoding)]));
  });
  return Buffer.concat(buffers);
}
