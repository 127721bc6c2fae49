import { escapeForHtml } from '../machinery/html-escape.ts';
import { stringify } from '../machinery/codec/json/write.ts';
import type { DocumentPart, TableName } from './gnostic/document-tables.ts';
import { tableNames } from './gnostic/document-tables.ts';
import type { DocumentCodec } from './gnostic/document-codec.ts';
import { encodeEntry } from './gnostic/document-codec.ts';
import { codecV2 } from './gnostic/v2.ts';
import { codecV3 } from './gnostic/v3.ts';
import type { Form } from './schema-object.ts';

export type Encoding = 'json' | 'protobuf';

const codecs: Readonly<Record<Form, DocumentCodec>> = { v2: codecV2, v3: codecV3 };

/** One entry of a table in both encodings. The second is made on the first request for it: most clients read one of them. */
export class DocumentEntry {
  readonly name: string;
  readonly json: Buffer;
  readonly #table: TableName;
  readonly #form: Form;
  #protobuf: Buffer | undefined;

  constructor(form: Form, table: TableName, name: string, value: object) {
    this.name = name;
    this.#form = form;
    this.#table = table;
    const text = `${JSON.stringify(name)}:${stringify(value)}`;
    // A quirk kept: only in OpenAPI 3 `<`, `>` and `&` are escaped.
    this.json = Buffer.from(form === 'v3' ? escapeForHtml(text) : text);
  }

  get isEncoded(): boolean {
    return this.#protobuf !== undefined;
  }

  get protobuf(): Buffer {
    return (this.#protobuf ??= encodeEntry(codecs[this.#form], this.#table, this.name, this.value));
  }

  in(encoding: Encoding): Buffer {
    return encoding === 'json' ? this.json : this.protobuf;
  }

  /** Read anew each time: objects take many times the room of their text. */
  get value(): object {
    const [value] = Object.values(JSON.parse(`{${this.json.toString()}}`) as Record<string, object>);
    return value as object;
  }
}

/** The entries of a part, written; one at a time, so that others may have their turn in between. */
export function* writeEntries(form: Form, part: DocumentPart): Generator<readonly [TableName, DocumentEntry]> {
  for (const table of tableNames) {
    for (const [name, value] of Object.entries(part[table] ?? {})) yield [table, new DocumentEntry(form, table, name, value)];
  }
}
