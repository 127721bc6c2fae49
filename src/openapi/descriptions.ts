/** Prose of the API: not part of this repository, taken at build time from a package that ships it. */
export interface Descriptions {
  ofType(type: string): string | undefined;
  ofField(type: string, field: string): string | undefined;
}

export const noDescriptions: Descriptions = { ofType: () => undefined, ofField: () => undefined };

/** The form in which `tools/descriptions.ts` writes them: type name -> field name -> text; the type's own text is at the empty name. */
export type DescriptionTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function descriptionsOf(table: DescriptionTable): Descriptions {
  const text = (type: string, field: string): string | undefined => {
    const row = Object.hasOwn(table, type) ? table[type] : undefined;
    return row !== undefined && Object.hasOwn(row, field) ? row[field] : undefined;
  };
  return { ofType: (type) => text(type, ''), ofField: text };
}
