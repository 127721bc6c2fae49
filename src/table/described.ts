/** Prose that is not part of this repository: the description of a field, found when the table is first requested. */
export interface FieldDoc {
  /** as the OpenAPI document names it, e.g. `io.k8s.api.core.v1.ConfigMap` */
  readonly type: string;
  readonly field: string;
}

/** Where descriptions come from: what the OpenAPI documents use. */
export interface FieldDescriptions {
  ofField(type: string, field: string): string | undefined;
}

export function docOf(type: string, field: string): FieldDoc {
  return { type, field };
}

/** '' where a column has no description or none is supplied. */
export function descriptionOf(description: string | FieldDoc | undefined, descriptions: FieldDescriptions | undefined): string {
  if (description === undefined || typeof description === 'string') return description ?? '';
  return descriptions?.ofField(description.type, description.field) ?? '';
}
