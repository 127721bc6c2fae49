/** The large tables of a document; `definitions` are called schemas in OpenAPI 3, which has no `parameters`. */
export type TableName = 'paths' | 'definitions' | 'parameters';

export const tableNames = ['paths', 'definitions', 'parameters'] as const satisfies readonly TableName[];

/** Some entries of a document's tables: what one kind or one group version brings along. */
export type DocumentPart = Readonly<Partial<Record<TableName, Readonly<Record<string, object>>>>>;
