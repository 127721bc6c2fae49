// Upstream: k8s.io/kubernetes/plugin/pkg/admission/serviceaccount/admission.go
import { setTimeout as sleep } from 'node:timers/promises';
import { goQuote } from '../../machinery/go-format.ts';
import { nameIsPathSegment } from '../../machinery/names.ts';
import type { Pod, ServiceAccount } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { checkEphemeralSecrets, checkMirrorPod, checkSecrets, enforcesMountableSecrets } from './secret-references.ts';
import { mountToken } from './token-volume.ts';

type AccountObject = ServiceAccount & KubeObject;

const pods = requestsFor<Pod>('', 'pods', '', 'ephemeralcontainers');
const defaultAccount = 'default';
const mirrorAnnotation = 'kubernetes.io/config.mirror';
/** the default account of a new namespace is made by a controller and may be a moment late */
const defaultAccountAttempts = 9;

/** Every pod runs as a service account that exists, and finds the account's token where clients look for it. */
export const serviceAccount = definePlugin({
  name: 'ServiceAccount',
  enabledByDefault: true,
  create({ reader }) {
    /** Known at once in all cases but the first ones. */
    const accountOf = (attributes: AdmissionAttributes, name: string): AccountObject | Promise<AccountObject> => {
      const account = reader.get<AccountObject>('', 'serviceaccounts', attributes.namespace, name);
      return account instanceof Promise ? awaitedAccount(attributes, name, account) : account;
    };

    const awaitedAccount = async (
      attributes: AdmissionAttributes,
      name: string,
      asked: Promise<AccountObject | undefined>,
    ): Promise<AccountObject> => {
      const account = (await asked) ?? (name === defaultAccount ? await findLater(reader, attributes.namespace, name) : undefined);
      if (account !== undefined) return account;
      // Upstream's client refuses to ask for such a name.
      const faults = nameIsPathSegment(name, false);
      const why =
        faults.length > 0 ? `invalid resource name ${goQuote(name)}: [${faults.join(' ')}]` : `serviceaccount ${goQuote(name)} not found`;
      throw forbid(attributes, `error looking up service account ${attributes.namespace}/${name}: ${why}`);
    };

    const validate = (attributes: AttributesOf<Pod, 'CREATE' | 'UPDATE'>): void | Promise<void> => {
      const pod = attributes.object;
      if (attributes.operation === 'UPDATE' && attributes.subresource !== 'ephemeralcontainers') return;
      if (attributes.operation === 'CREATE' && isMirror(pod)) return checkMirrorPod(attributes, pod);
      const { serviceAccountName = '' } = pod.spec;
      if (serviceAccountName === '') {
        throw forbid(attributes, `no service account specified for pod ${attributes.namespace}/${pod.metadata.name ?? ''}`);
      }
      const account = accountOf(attributes, serviceAccountName);
      return account instanceof Promise ? account.then((found) => checkMounts(attributes, found)) : checkMounts(attributes, account);
    };

    const checkMounts = (attributes: AttributesOf<Pod, 'CREATE' | 'UPDATE'>, account: AccountObject): void => {
      if (!enforcesMountableSecrets(account)) return;
      if (attributes.operation === 'UPDATE') checkEphemeralSecrets(account, attributes.object);
      else checkSecrets(attributes, account, attributes.object);
    };

    return admitting(
      pods.on(['CREATE', 'UPDATE'], ({ operation, subresource }) => operation === 'UPDATE' || subresource === ''),
      {
        async mutate(attributes) {
          if (attributes.operation !== 'CREATE') return;
          const pod = attributes.object;
          // A mirror pod must stay as the kubelet made it.
          if (!isMirror(pod)) {
            const { spec } = pod;
            if (!spec.serviceAccountName) spec.serviceAccountName = spec.serviceAccount = defaultAccount;
            const found = accountOf(attributes, spec.serviceAccountName);
            const account = found instanceof Promise ? await found : found;
            if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec);
            if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
              spec.imagePullSecrets = account.imagePullSecrets.map(({ name }) => (name === undefined ? {} : { name }));
            }
          }
          const validating = validate(attributes);
          if (validating !== undefined) await validating;
        },
        validate,
      },
    );
  },
});

async function findLater(reader: ObjectReader, namespace: string, name: string): Promise<AccountObject | undefined> {
  const pause = 100 + Math.floor(Math.random() * 100);
  for (let attempt = 0; attempt < defaultAccountAttempts; attempt++) {
    await sleep(pause);
    const account = await reader.get<AccountObject>('', 'serviceaccounts', namespace, name);
    if (account !== undefined) return account;
  }
  return undefined;
}

function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined;
}
