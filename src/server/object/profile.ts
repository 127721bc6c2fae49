import type { ApiError, GroupResource } from '../../machinery/errors.ts';
import type { PatchType } from '../../machinery/options.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import { internalPackage } from './internal-package.ts';

/**
 * What differs between the kinds that a server has itself and those that definitions bring: each side supplies its own, and whatever is the
 * same for both asks it.
 */
export interface KindProfile {
  /**
   * Objects have a type that upstream declares in Go: they are read by it again after a merge, compared and completed by it, and their
   * fields are converted between versions. Objects of the others are trees of values.
   */
  readonly isTyped: boolean;
  readonly json: JsonLayout;
  readonly patchTypes: readonly PatchType[];
  /** the response to a patch of another type */
  unsupportedPatch(types: readonly PatchType[]): ApiError;
  /** Methods and media types stand in routes, made when the resource is installed; otherwise what a request asks for decides alone. */
  readonly hasRoutes: boolean;
  /** the response to a verb that a resource or subresource does not have */
  unsupportedVerb(resource: GroupResource, verb: string): ApiError;
  /** the type of an object or a list of the kind, as Go prints it */
  goTypeOf(group: string, kind: string, isList: boolean): string;
}

/** How JSON of a kind is laid out, as it is stored and sent. */
export interface JsonLayout {
  /** `{"kind":"Pod","apiVersion":"v1",` */
  head(kind: string, apiVersion: string): string;
  readonly sortsKeys: boolean;
  /** items of lists carry kind and apiVersion */
  readonly namesItems: boolean;
  /** what stands around the items of a list */
  listFrame(kind: string, apiVersion: string, metadata: ListMetadata): { readonly head: string; readonly tail: string };
}

export interface ListMetadata {
  readonly resourceVersion?: string | undefined;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
  readonly shardInfo?: { readonly selector: string } | undefined;
}

/** Kinds of the server's own. */
export const builtInProfile: KindProfile = {
  isTyped: true,
  json: {
    head: (kind, apiVersion) => `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`,
    sortsKeys: false,
    namesItems: false,
    listFrame: (kind, apiVersion, { resourceVersion, continue: next, remainingItemCount, shardInfo }) => {
      const metadata = JSON.stringify({ resourceVersion, continue: next, remainingItemCount, shardInfo });
      const about = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
      return { head: `${about},"metadata":${metadata},"items":[`, tail: ']}\n' };
    },
  },
  patchTypes: [
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
  ],
  // Upstream's router refuses it already, in its own words.
  unsupportedPatch: () => serverResponseError({ code: 415, serverMessage: '415: Unsupported Media Type' }),
  hasRoutes: true,
  unsupportedVerb: () => serverResponseError({ code: 405 }),
  goTypeOf: (group, kind) => `*${internalPackage(group)}.${kind}`,
};
