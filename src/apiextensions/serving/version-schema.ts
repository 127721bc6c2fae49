// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go#unstructuredSchemaCoercer
import { append } from '../../machinery/append.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { DecodeError } from '../../machinery/codec/decode-error.ts';
import { FieldError } from '../../machinery/field.ts';
import type { Growth } from '../schema/defaulting.ts';
import { applyDefaults, growthOf } from '../schema/defaulting.ts';
import type { SchemaNode } from '../schema/node.ts';
import { asResourceRoot, schemaNode } from '../schema/node.ts';
import type { ObjectMetas } from '../schema/object-meta.ts';
import { withPrunedDefaults } from '../schema/pruned-defaults.ts';
import { prune, pruneNulls } from '../schema/pruning.ts';

/** What one version's schema makes of objects: unknown fields go, nulls that are not allowed go, defaults come. */
export class VersionSchema {
  /** undefined: the version has no schema, and everything but metadata is pruned unless the definition preserves it */
  readonly schema: JSONSchemaProps | undefined;
  #tree: { readonly node: SchemaNode | undefined; readonly root: SchemaNode } | undefined;
  #growth: Growth | undefined;
  readonly #preserveUnknown: boolean;
  readonly #metas: ObjectMetas;

  constructor(schema: JSONSchemaProps | undefined, preserveUnknown: boolean, metas: ObjectMetas) {
    this.schema = schema;
    this.#preserveUnknown = preserveUnknown;
    this.#metas = metas;
  }

  get node(): SchemaNode | undefined {
    return this.#nodes.node;
  }

  /**
   * Brings an object from a client into form, in place; returns unknown fields when `strict`. Throws DecodeError.
   * @param keepNulls what came of an apply: nulls that are not allowed are for validation to find
   */
  coerce(object: KubeObject, strict: boolean, keepNulls = false): string[] {
    const hasMetadata = object.metadata !== undefined;
    const { metadata, unknown } = hasMetadata ? this.#metas.read(object.metadata, strict) : { metadata: {}, unknown: [] };
    const found = [...unknown];
    if (!this.#preserveUnknown) {
      append(found, prune(object, this.#nodes.root, strict));
      if (!keepNulls) pruneNulls(object, this.node);
    }
    const embedded = this.#metas.coerce(undefined, object, this.node, { strict, dropInvalid: false });
    if (embedded instanceof FieldError) throw new DecodeError(embedded.toString());
    object.metadata = metadata;
    return [...found, ...embedded];
  }

  /** The same for an object from the store, where nothing is an error. */
  repair(object: KubeObject): void {
    const metadata: ObjectMeta = this.#metas.readTolerantly(object.metadata);
    if (!this.#preserveUnknown) {
      prune(object, this.#nodes.root, false);
      pruneNulls(object, this.node);
    }
    this.#metas.coerce(undefined, object, this.node, { strict: false, dropInvalid: true });
    if (!metadata.generation) metadata.generation = 1;
    object.metadata = metadata;
  }

  /** Returns whether there was anything to fill in. */
  applyDefaults(object: KubeObject, most?: number): boolean {
    return applyDefaults(object, this.node, most);
  }

  /** How long an object of so many characters may be once it has its defaults. */
  mostGrown(length: number): number {
    const { fixed, perCharacter } = (this.#growth ??= growthOf(this.#nodes.root));
    return length + fixed + length * perCharacter;
  }

  /** Made when the first object comes along: most definitions of a cluster have none. */
  get #nodes(): { readonly node: SchemaNode | undefined; readonly root: SchemaNode } {
    if (this.#tree === undefined) {
      const node = this.schema && this.#withDefaults(schemaNode(this.schema));
      this.#tree = { node, root: asResourceRoot(node ?? schemaNode({})) };
    }
    return this.#tree;
  }

  /** Only metadata of embedded resources has fields that no schema lists. */
  #withDefaults(node: SchemaNode): SchemaNode {
    return node.hasDefaults && node.hasEmbeddedResources && !this.#preserveUnknown ? withPrunedDefaults(node, this.#metas) : node;
  }
}
