// Upstream: k8s.io/apiserver/pkg/util/openapi/enablement.go
/** Prose of the API: not part of this repository, taken at build time from where it is published. */
export interface Descriptions {
  ofType(type: string): string | undefined;
  /** A field's own words. */
  ofField(type: string, field: string): string | undefined;
  /** What follows them: the values that the field may have, and what each of them means. */
  ofValues(type: string, field: string): string | undefined;
}

export const noDescriptions: Descriptions = { ofType: () => undefined, ofField: () => undefined, ofValues: () => undefined };

/** The form in which `tools/descriptions` writes them: type name -> field name -> text; the type's own text is at the empty name. */
export type DescriptionTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Stands before the values in the text of a field. */
export const valuesHeading = 'Possible enum values:';

export function descriptionsOf(table: DescriptionTable): Descriptions {
  const text = (type: string, field: string): string | undefined => {
    const row = Object.hasOwn(table, type) ? table[type] : undefined;
    return row !== undefined && Object.hasOwn(row, field) ? row[field] : undefined;
  };
  const own = (type: string, field: string): string | undefined => {
    const whole = text(type, field);
    const heading = whole?.indexOf(valuesHeading) ?? -1;
    return heading < 0 ? whole : whole?.slice(0, heading).trim();
  };
  return {
    ofType: (type) => text(type, ''),
    ofField: own,
    ofValues: (type, field) => text(type, field)?.slice(own(type, field)?.length) || undefined,
  };
}
