// Upstream: k8s.io/kubernetes/pkg/controller/serviceaccount/tokens_controller.go
import { isReason } from '../../machinery/errors.ts';
import type { Secret, ServiceAccount } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { SecretTokenSigner } from '../../server/registry/tokens.ts';
import type { Controller } from '../common/controller.ts';
import { defineController } from '../common/controller.ts';
import { IndexOf } from '../common/index-of.ts';
import { accountNameAnnotation, accountUidAnnotation, tokenSecretsPath } from '../common/token-secrets.ts';
import { WorkQueue } from '../common/work-queue.ts';

type SecretObject = Secret & KubeObject;
type AccountObject = ServiceAccount & KubeObject;

export interface ServiceAccountTokensOptions {
  /** PEM of the authority that the server's certificate is from; empty: unknown, and not written */
  readonly rootAuthority: string;
  readonly sign: SecretTokenSigner;
}

/** Puts tokens into secrets that are made for them, and deletes those of accounts that are gone. */
export function serviceAccountTokens({ rootAuthority, sign }: ServiceAccountTokensOptions): Controller {
  const authority = base64(rootAuthority);
  return defineController({
    name: 'serviceaccount-token-controller',
    account: undefined,
    async run({ client, informers, clock, log, metrics, signal }) {
      const secrets = informers.of<SecretObject>(tokenSecretsPath);
      const accounts = informers.ownership('/api/v1/serviceaccounts');
      const options = { metrics, clock, log };
      const queue = new WorkQueue<string>({ ...options, name: 'serviceaccount_tokens_secret', process });
      /** accounts that may name secrets that are gone, as JSON */
      const references = new WorkQueue<string>({ ...options, name: 'serviceaccount_tokens_service', process: removeReference });
      using secretsByAccount = new IndexOf(secrets, accountKeyOf);
      using _secrets = secrets.subscribe({
        changed: ({ metadata }) => queue.add(`${metadata.namespace}/${metadata.name}`),
        deleted: (secret) => {
          const { namespace, name } = secret.metadata;
          references.add(JSON.stringify([namespace, accountNameOf(secret), accountUidOf(secret), name]));
        },
      });
      using _accounts = accounts.subscribe({
        deleted: ({ metadata }) => {
          for (const secret of secretsByAccount.get(`${metadata.namespace}/${metadata.name}`))
            queue.add(`${secret.metadata.namespace}/${secret.metadata.name}`);
        },
      });
      const known = [secrets.synced, accounts.synced];
      await Promise.all([queue.run(signal, ...known), references.run(signal, ...known)]);

      async function process(key: string): Promise<void> {
        const [namespace = '', name = ''] = key.split('/');
        const secret = secrets.get(namespace, name);
        if (secret === undefined || accountNameOf(secret) === '') return;
        const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
        const account = await accountOf(secret);
        try {
          if (account !== undefined) return await fill(path, secret, account);
          const { uid = '' } = secret.metadata;
          await client.delete(path, { propagationPolicy: 'Background', preconditions: { uid } });
        } catch (error) {
          // The informer delivers what another writer has made of it.
          if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
        }
      }

      async function fill(path: string, known: SecretObject, account: KubeObject): Promise<void> {
        if (missing(known) === undefined) return;
        const secret = (await client.get(path)) as SecretObject;
        const lacks = missing(secret);
        if (lacks === undefined || secret.metadata.resourceVersion !== known.metadata.resourceVersion) return;
        const { namespace = '', name: secretName = '' } = secret.metadata;
        const { name = '', uid = '' } = account.metadata;
        const data = {
          ...secret.data,
          ...(lacks.authority && { 'ca.crt': authority }),
          ...(lacks.namespace && { namespace: base64(namespace) }),
          ...(lacks.token && { token: base64(sign({ namespace, account: { name, uid }, secretName })) }),
        };
        const annotations = { ...secret.metadata.annotations, [accountNameAnnotation]: name, [accountUidAnnotation]: uid };
        await client.update(path, { ...secret, metadata: { ...secret.metadata, annotations }, data });
      }

      /** The account that a secret is of; undefined when it is gone, also when there is another one of that name. */
      async function accountOf(secret: SecretObject): Promise<KubeObject | undefined> {
        const [namespace, name, uid] = [secret.metadata.namespace ?? '', accountNameOf(secret), accountUidOf(secret)];
        const isSame = (account: KubeObject | undefined): boolean => account !== undefined && (uid === '' || account.metadata.uid === uid);
        const known = accounts.get(namespace, name);
        if (isSame(known)) return known;
        const asked = await getAccount(namespace, name);
        return isSame(asked) ? asked : undefined;
      }

      async function getAccount(namespace: string, name: string): Promise<AccountObject | undefined> {
        try {
          return (await client.get(`/api/v1/namespaces/${namespace}/serviceaccounts/${encodeURIComponent(name)}`)) as AccountObject;
        } catch (error) {
          if (isReason(error, 'NotFound')) return undefined;
          throw error;
        }
      }

      async function removeReference(key: string): Promise<void> {
        const [namespace, name, uid, secretName] = JSON.parse(key) as [string, string, string, string];
        if (name === '' || secrets.get(namespace, secretName) !== undefined) return;
        const account = await getAccount(namespace, name);
        if (account === undefined || (uid !== '' && account.metadata.uid !== uid)) return;
        if (!(account.secrets ?? []).some((reference) => reference.name === secretName)) return;
        const left = (account.secrets ?? []).filter((reference) => reference.name !== secretName);
        try {
          await client.update(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}`, { ...account, secrets: left });
        } catch (error) {
          if (!isReason(error, 'NotFound')) throw error;
        }
      }
    },
  });

  function missing({ data = {} }: SecretObject): { authority: boolean; namespace: boolean; token: boolean } | undefined {
    const lacks = { authority: authority !== '' && data['ca.crt'] !== authority, namespace: !data['namespace'], token: !data['token'] };
    return lacks.authority || lacks.namespace || lacks.token ? lacks : undefined;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function accountNameOf({ metadata }: SecretObject): string {
  return metadata.annotations?.[accountNameAnnotation] ?? '';
}

function accountUidOf({ metadata }: SecretObject): string {
  return metadata.annotations?.[accountUidAnnotation] ?? '';
}

function accountKeyOf(secret: SecretObject): string {
  return `${secret.metadata.namespace}/${accountNameOf(secret)}`;
}
