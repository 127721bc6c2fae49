/** JSON texts that are recorded as they came: what they say stays, numbers of any size included. */

/** Without blanks between tokens, as upstream writes what it was given. A string that does not end goes up to the end of the text. */
export function compactJson(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"?|\s+/gs, (token) => (token.startsWith('"') ? token : ''));
}

interface Described {
  readonly metadata?: { managedFields?: unknown };
  readonly items?: readonly Described[];
  /** of a Table */
  readonly rows?: readonly { readonly object?: Described | null }[];
}

/** An object, a list or a table, without who owns which fields. */
export function withoutManagedFields(text: string): string {
  if (!text.includes('"managedFields"')) return text;
  const object = JSON.parse(text, keepNumber) as Described;
  const { items = [], rows = [] } = object;
  for (const one of [object, ...items, ...rows.map((row) => row.object)]) delete one?.metadata?.managedFields;
  return JSON.stringify(object);
}

declare global {
  interface JSON {
    /** A number that is written as it was. */
    rawJSON(text: string): object;
  }
}

function keepNumber(_key: string, value: unknown, context?: { readonly source: string }): unknown {
  return typeof value === 'number' && context !== undefined && String(value) !== context.source ? JSON.rawJSON(context.source) : value;
}
