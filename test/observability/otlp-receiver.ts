import { ProtoReader } from '../../src/base/grpc/protobuf.ts';
import { TestServer } from '../support/grpc-server.ts';

export interface ReceivedEvent {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface ReceivedSpan {
  readonly service: string;
  readonly resource: ReadonlyMap<string, string>;
  readonly scope: string;
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly events: readonly ReceivedEvent[];
  readonly links: number;
  readonly status: number;
}

/** As much of an OpenTelemetry collector as receives spans over gRPC. */
export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  readonly #server: TestServer;

  private constructor() {
    this.#server = new TestServer({
      '/opentelemetry.proto.collector.trace.v1.TraceService/Export': async ({ messages, send }) => {
        for await (const message of messages) this.spans.push(...readExport(message));
        send(Buffer.alloc(0));
      },
    });
  }

  static async start(): Promise<OtlpReceiver & { readonly endpoint: string }> {
    const receiver = new OtlpReceiver();
    const port = await receiver.#server.listen();
    return Object.assign(receiver, { endpoint: `127.0.0.1:${port}` });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

type Fields = Readonly<Record<number, (reader: ProtoReader) => void>>;

function read(reader: ProtoReader, fields: Fields): void {
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    const take = fields[field];
    if (take === undefined) reader.skip();
    else take(reader);
  }
}

function readExport(message: Buffer): ReceivedSpan[] {
  const spans: ReceivedSpan[] = [];
  read(new ProtoReader(message), {
    1: (reader) => {
      const resource = new Map<string, string>();
      const scopes: ProtoReader[] = [];
      read(reader.message(), {
        1: (inner) => read(inner.message(), { 1: (one) => void resource.set(...readAttribute(one)) }),
        2: (inner) => void scopes.push(inner.message()),
      });
      for (const scope of scopes) spans.push(...readScope(scope, resource));
    },
  });
  return spans;
}

function readScope(reader: ProtoReader, resource: ReadonlyMap<string, string>): ReceivedSpan[] {
  let scope = '';
  const spans: ReceivedSpan[] = [];
  read(reader, {
    1: (inner) => read(inner.message(), { 1: (one) => (scope = one.string()) }),
    2: (inner) => void spans.push(readSpan(inner.message(), resource)),
  });
  return spans.map((span) => ({ ...span, scope }));
}

function readSpan(reader: ProtoReader, resource: ReadonlyMap<string, string>): ReceivedSpan {
  const attributes = new Map<string, string>();
  const events: ReceivedEvent[] = [];
  const span = { traceId: '', id: '', parentId: '', name: '', kind: 0, links: 0, status: 0 };
  read(reader, {
    1: (one) => (span.traceId = one.bytes().toString('hex')),
    2: (one) => (span.id = one.bytes().toString('hex')),
    4: (one) => (span.parentId = one.bytes().toString('hex')),
    5: (one) => (span.name = one.string()),
    6: (one) => (span.kind = one.int()),
    9: (one) => void attributes.set(...readAttribute(one)),
    11: (one) => void events.push(readEvent(one.message())),
    13: (one) => {
      one.skip();
      span.links++;
    },
    15: (one) => read(one.message(), { 3: (code) => (span.status = code.int()) }),
  });
  return { ...span, service: resource.get('service.name') ?? '', resource, scope: '', attributes, events };
}

function readEvent(reader: ProtoReader): ReceivedEvent {
  let name = '';
  const attributes = new Map<string, string>();
  read(reader, { 2: (one) => (name = one.string()), 3: (one) => void attributes.set(...readAttribute(one)) });
  return { name, attributes };
}

function readAttribute(reader: ProtoReader): [key: string, value: string] {
  let key = '';
  let value = '';
  read(reader.message(), {
    1: (one) => (key = one.string()),
    2: (one) => (value = readValue(one.message())),
  });
  return [key, value];
}

function readValue(reader: ProtoReader): string {
  let value = '';
  read(reader, {
    1: (one) => (value = one.string()),
    2: (one) => (value = String(one.bool())),
    3: (one) => (value = String(one.int())),
    5: (one) => {
      const values: string[] = [];
      read(one.message(), { 1: (item) => void values.push(readValue(item.message())) });
      value = `[${values.join(',')}]`;
    },
  });
  return value;
}
