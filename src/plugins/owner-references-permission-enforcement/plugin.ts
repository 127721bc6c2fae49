// Upstream: k8s.io/kubernetes/plugin/pkg/admission/gc/gc_admission.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { parseGroupVersion } from '../../machinery/group-version.ts';
import type { OwnerReference } from '../../schema/types/meta-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { Attributes, Decision } from '../../server/request/authorizer.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { isWrite } from '../common/request-matching.ts';

/** An owner's deletion deletes what it owns, and what it owns can hold its deletion up: both take the permission to do so directly. */
export const ownerReferencesPermissionEnforcement = definePlugin({
  name: 'OwnerReferencesPermissionEnforcement',
  enabledByDefault: false,
  create({ authorizer, reader }) {
    const ask = async (attributes: AdmissionAttributes, question: Question): Promise<Decision> =>
      authorizer.authorize({ user: attributes.user, isResource: true, path: '', namespace: '', ...question });

    const requireFinalizing = async (attributes: AdmissionAttributes, { apiVersion, kind, name }: OwnerReference): Promise<void> => {
      const gv = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
      const owner = reader.resourceOf({ ...gv, kind });
      if (owner === undefined) {
        const missing = `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`;
        throw forbid(
          attributes,
          `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${missing}`,
        );
      }
      const namespace = owner.namespaced ? attributes.namespace : '';
      const answer = await ask(attributes, { ...finalizing, ...gv, resource: owner.names.plural, name, namespace });
      if (answer.decision === 'allow') return;
      throw forbid(
        attributes,
        `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${why(answer)}`,
      );
    };

    return {
      handles: (attributes) => isWrite(attributes) && !isPodStatus(attributes),
      async validate(attributes) {
        const { operation, object, old, resource, versionedKind, subresource, name, namespace } = attributes;
        const [owners, before] = [ownersOf(object), ownersOf(old)];
        if (deepEqual(owners, before)) return;
        if (operation !== 'CREATE') {
          const { group, names } = resource;
          const question = { verb: 'delete', group, version: versionedKind.version, resource: names.plural, subresource, name, namespace };
          const answer = await ask(attributes, question);
          if (answer.decision !== 'allow') {
            throw forbid(attributes, `cannot set an ownerRef on a resource you can't delete: ${why(answer)}`);
          }
        }
        const wereBlocking = new Set(before.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true).map(({ uid }) => uid));
        const blocking = owners.filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && !wereBlocking.has(uid));
        if (blocking.length === 0) return;
        const anything = await ask(attributes, { ...finalizing, group: '*', version: '*', resource: '*', name: '*' });
        if (anything.decision === 'allow') return;
        for (const owner of blocking) await requireFinalizing(attributes, owner);
      },
    };
  },
});

type Question = Omit<Attributes, 'user' | 'isResource' | 'path' | 'namespace'> & { readonly namespace?: string };

const finalizing = { verb: 'update', subresource: 'finalizers' } as const;

/** Kubelets write it, and cannot set owners there. */
function isPodStatus({ resource, subresource }: AdmissionAttributes): boolean {
  return subresource === 'status' && resource.group === '' && resource.names.plural === 'pods';
}

function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return (object?.metadata?.ownerReferences ?? []) as readonly OwnerReference[];
}

function why({ reason, error }: Decision): string {
  return `${reason}, ${error ?? '<nil>'}`;
}
