// Upstream: k8s.io/kube-openapi/pkg/builder/openapi.go, k8s.io/kube-openapi/pkg/builder3/openapi.go
import { escapeForHtml } from '../machinery/html-escape.ts';
import type { DocumentEntry, Encoding } from './document-entry.ts';
import type { TableName } from './gnostic/document-tables.ts';
import { encodeFrame, fieldHead } from './gnostic/document-codec.ts';
import { codecV2 } from './gnostic/v2.ts';
import { codecV3 } from './gnostic/v3.ts';

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

/** A field of a message in protobuf whose length depends on what is inside. */
interface Field {
  readonly field: number;
  readonly inside: Frame;
}

type Frame = readonly (Buffer | TableName | Field)[];

/** What stands around the tables of a document. */
export type DocumentLayout = Readonly<Record<Encoding, Frame>>;

export type Tables = Readonly<Record<TableName, readonly DocumentEntry[]>>;

/** Bytes in order. `entries` follow each other with `separator` in between. */
export type Piece =
  | { readonly bytes: Buffer; readonly entries?: never }
  | { readonly entries: readonly DocumentEntry[]; readonly separator: string };

export function layoutV2(info: DocumentInfo): DocumentLayout {
  const securityDefinitions = {
    BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
  };
  const security = [{ BearerToken: [] }];
  return {
    json: [
      Buffer.from(`{"swagger":"2.0","info":${JSON.stringify(info)},"paths":{`),
      'paths',
      Buffer.from('},"definitions":{'),
      'definitions',
      Buffer.from('},"parameters":{'),
      'parameters',
      Buffer.from(`},"securityDefinitions":${JSON.stringify(securityDefinitions)},"security":${JSON.stringify(security)}}`),
    ],
    protobuf: [
      encodeFrame(codecV2, { swagger: '2.0', info }),
      { field: 8, inside: ['paths'] },
      { field: 9, inside: ['definitions'] },
      { field: 10, inside: ['parameters'] },
      encodeFrame(codecV2, { security, securityDefinitions }),
    ],
  };
}

/** Documents of custom resources say nothing of security, those of plain paths have no schemas. */
export function layoutV3(info: DocumentInfo, has: { readonly schemas: boolean; readonly security: boolean }): DocumentLayout {
  const securitySchemes = {
    BearerToken: { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' },
  };
  const schemas: Frame = has.schemas ? [Buffer.from('"schemas":{'), 'definitions', Buffer.from('}')] : [];
  const security = has.security ? `${has.schemas ? ',' : ''}"securitySchemes":${JSON.stringify(securitySchemes)}` : '';
  return {
    json: [
      Buffer.from(`{"openapi":"3.0.0","info":${escapeForHtml(JSON.stringify(info))},"paths":{`),
      'paths',
      Buffer.from('},"components":{'),
      ...schemas,
      Buffer.from(`${security}}}`),
    ],
    protobuf: [
      encodeFrame(codecV3, { openapi: '3.0.0', info }),
      { field: 4, inside: ['paths'] },
      {
        field: 5,
        inside: [
          ...(has.schemas ? [{ field: 1, inside: ['definitions'] } as const] : []),
          ...(has.security ? [encodeFrame(codecV3, { securitySchemes })] : []),
        ],
      },
    ],
  };
}

/** A document's bytes in order, none of them copied. */
export function documentPieces(layout: DocumentLayout, tables: Tables, encoding: Encoding): Piece[] {
  const separator = encoding === 'json' ? ',' : '';
  const flatten = (frame: Frame): Piece[] =>
    frame.flatMap((part): Piece[] => {
      if (typeof part === 'string') return tables[part].length === 0 ? [] : [{ entries: tables[part], separator }];
      if (Buffer.isBuffer(part)) return [{ bytes: part }];
      const inside = flatten(part.inside);
      const length = inside.reduce((sum, piece) => sum + pieceLength(piece, encoding), 0);
      return [{ bytes: fieldHead(part.field, length) }, ...inside];
    });
  return flatten(layout[encoding]);
}

function pieceLength(piece: Piece, encoding: Encoding): number {
  if (piece.entries === undefined) return piece.bytes.length;
  return piece.entries.reduce((sum, entry) => sum + entry.in(encoding).length, piece.separator.length * (piece.entries.length - 1));
}
