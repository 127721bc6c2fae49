import { methodNotSupported, unsupportedMediaType } from '../../machinery/errors.ts';
import type { KindProfile } from '../../server/object/profile.ts';

/** Kinds that definitions bring. */
export const customProfile: KindProfile = {
  isTyped: false,
  json: {
    head: (kind, apiVersion) => `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`,
    sortsKeys: true,
    namesItems: true,
    listFrame: (kind, apiVersion, { resourceVersion, continue: next, remainingItemCount }) => {
      const metadata = JSON.stringify({
        continue: next ?? '',
        ...(remainingItemCount !== undefined && { remainingItemCount }),
        resourceVersion,
      });
      return {
        head: `{"apiVersion":${JSON.stringify(apiVersion)},"items":[`,
        tail: `],"kind":${JSON.stringify(kind)},"metadata":${metadata}}\n`,
      };
    },
  },
  // They have no declared merge keys, so strategic merge is not for them.
  patchTypes: ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'],
  unsupportedPatch: unsupportedMediaType,
  hasRoutes: false,
  unsupportedVerb: methodNotSupported,
  goTypeOf: (_group, _kind, isList) => `*unstructured.Unstructured${isList ? 'List' : ''}`,
};
