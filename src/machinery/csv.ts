/** The first record of a comma-separated text, with the quoting rules and error texts of Go's encoding/csv. */
export function readCsvRecord(text: string): string[] {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const { field, end } = text[at] === '"' ? quoted(text, at) : plain(text, at);
    fields.push(field);
    if (text[end] !== ',') return fields;
    at = end + 1;
  }
}

function plain(text: string, start: number): { field: string; end: number } {
  const match = /[^,\r\n]*/y;
  match.lastIndex = start;
  const field = match.exec(text)?.[0] ?? '';
  const quote = field.indexOf('"');
  if (quote >= 0) throw failure(start + quote, 'bare " in non-quoted field');
  return { field, end: start + field.length };
}

function quoted(text: string, start: number): { field: string; end: number } {
  let field = '';
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw failure(text.length, 'extraneous or missing " in quoted-field');
    field += text.slice(at, quote);
    const next = text[quote + 1];
    if (next === '"') {
      field += '"';
      at = quote + 1;
    } else if (next === undefined || next === ',' || next === '\n' || next === '\r') {
      return { field, end: quote + 1 };
    } else throw failure(quote, 'extraneous or missing " in quoted-field');
  }
}

function failure(column: number, problem: string): Error {
  return new Error(`parse error on line 1, column ${column + 1}: ${problem}`);
}
