import type { GroupVersionKind } from '../machinery/type-model.ts';

/** A parameter of an operation, apart from its body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: 'string' | 'integer' | 'boolean';
  /** prose: of the field `[type, field]`, or a text of its own */
  readonly description: string | readonly [type: string, field: string];
}

/** In the order in which documents write them. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type Method = (typeof methods)[number];

/** One operation at one path, before it is written in one of the two OpenAPI forms. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  /** without the group version, e.g. `listNamespacedPod` */
  readonly operation: string;
  readonly description?: string;
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  readonly parameters: readonly Parameter[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** type name of the body */
  readonly reads?: { readonly type: string; readonly required: boolean };
  /** by status code, in order; a response without a type is plain text */
  readonly responses: readonly RouteResponse[];
}

export interface RouteResponse {
  readonly code: number;
  readonly description: string;
  readonly type: string | undefined;
}

export interface MediaRange {
  readonly plain: readonly string[];
  /** and those of a watch */
  readonly streamed: readonly string[];
}

export function mediaRange(cbor: boolean): MediaRange {
  const plain = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
  const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
  if (!cbor) return { plain, streamed: [...plain, ...streams] };
  return { plain: [...plain, 'application/cbor'], streamed: [...plain, 'application/cbor', ...streams, 'application/cbor-seq'] };
}
