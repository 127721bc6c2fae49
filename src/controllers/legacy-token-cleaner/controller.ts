// Upstream: k8s.io/kubernetes/pkg/controller/serviceaccount/legacy_serviceaccount_token_cleaner.go
import { pause, whenAborted } from '../../base/pause.ts';
import { isReason } from '../../machinery/errors.ts';
import type { ConfigMap, Pod, Secret, ServiceAccount } from '../../schema/types/core-v1.ts';
import { secretsOf } from '../../server/access/authz/pod-references.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Controller } from '../common/controller.ts';
import { defineController } from '../common/controller.ts';
import { IndexOf } from '../common/index-of.ts';
import { accountNameAnnotation, accountUidAnnotation, tokenSecretsPath } from '../common/token-secrets.ts';

type SecretObject = Secret & KubeObject;

const dayMs = 24 * 3600 * 1000;
/**
 * Of a secret that others write meanwhile. Upstream leaves it until the next day; its controller of tokens, which writes the secrets that lack one,
 * starts long before the cleaner. Here they start together, so the first look may meet those writes.
 */
const mostAttempts = 10;
const shortestPauseMs = 10;
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';
const trackingPath = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';

/** Marks generated tokens that have not been used for that time as invalid, and deletes them after the same time again. */
export const legacyTokenCleaner = (unusedMs: number): Controller =>
  defineController({
    name: 'legacy-serviceaccount-token-cleaner-controller',
    account: 'legacy-service-account-token-cleaner',
    async run({ client, informers, clock, log, signal }) {
      const secrets = informers.of<SecretObject>(tokenSecretsPath);
      const accounts = informers.of<ServiceAccount & KubeObject>('/api/v1/serviceaccounts');
      const pods = informers.of<Pod & KubeObject>('/api/v1/pods');
      using _secrets = secrets.subscribe({});
      using _accounts = accounts.subscribe({});
      using podsByNamespace = new IndexOf(pods, ({ metadata }) => metadata.namespace);
      await Promise.race([Promise.all([secrets.synced, accounts.synced, pods.synced]), whenAborted(signal)]);
      while (!signal.aborted) {
        try {
          await clean();
        } catch (error) {
          log.error('failed to look for unused service account tokens', { err: error });
        }
        await pause(clock, dayMs, signal);
      }

      async function clean(): Promise<void> {
        const now = clock.now();
        const { data } = (await client.get(trackingPath)) as ConfigMap;
        const since = dayIn(data?.['since']);
        if (since === undefined) throw new Error('it is not known since when the use of tokens is noted');
        if (now < since + dayMs + unusedMs) return;
        const usedFrom = dayOf(now - unusedMs);
        let toClean: Iterable<SecretObject> = secrets.values();
        for (let attempt = 0; attempt < mostAttempts; attempt++) {
          const contested: SecretObject[] = [];
          for (const secret of toClean) {
            if (signal.aborted) return;
            if (!isUnused(secret, now, unusedMs) || !isGenerated(secret) || isMounted(secret)) continue;
            const invalidSince = secret.metadata.labels?.[invalidSinceLabel];
            const work = dayIn(invalidSince) === undefined ? mark : (invalidSince as string) < usedFrom ? remove : undefined;
            if (work !== undefined && !(await succeeds(secret, () => work(secret, dayOf(now))))) contested.push(secret);
          }
          if (contested.length === 0) return;
          // A use of the token is such a write too, so what the informer knows then decides.
          await pause(clock, shortestPauseMs * 2 ** attempt, signal);
          toClean = contested.flatMap(({ metadata }) => secrets.get(metadata.namespace ?? '', metadata.name ?? '') ?? []);
        }
      }

      /** False when another writer was faster. */
      async function succeeds({ metadata }: SecretObject, work: () => Promise<void>): Promise<boolean> {
        try {
          await work();
        } catch (error) {
          if (isReason(error, 'Conflict')) return false;
          if (!isReason(error, 'NotFound'))
            log.error('failed to clean up an unused service account token', {
              secret: `${metadata.namespace}/${metadata.name}`,
              err: error,
            });
        }
        return true;
      }

      async function mark({ metadata }: SecretObject, today: string): Promise<void> {
        const { uid } = metadata;
        await client.patch(pathOf(metadata), { metadata: { uid, labels: { [invalidSinceLabel]: today } } });
      }

      async function remove({ metadata }: SecretObject): Promise<void> {
        const { resourceVersion = '' } = metadata;
        await client.delete(pathOf(metadata), { propagationPolicy: 'Background', preconditions: { resourceVersion } });
      }

      /** Whether the secret's account names it: those that people make are left alone. */
      function isGenerated({ metadata }: SecretObject): boolean {
        const { [accountNameAnnotation]: name = '', [accountUidAnnotation]: uid = '' } = metadata.annotations ?? {};
        const account = accounts.get(metadata.namespace ?? '', name);
        if (account === undefined || (uid !== '' && uid !== account.metadata.uid)) return false;
        return (account.secrets ?? []).some((reference) => reference.name === metadata.name);
      }

      function isMounted({ metadata }: SecretObject): boolean {
        return podsByNamespace.get(metadata.namespace ?? '').some(({ spec }) => secretsOf(spec).some((name) => name === metadata.name));
      }
    },
  });

function pathOf({ namespace, name }: KubeObject['metadata']): string {
  return `/api/v1/namespaces/${namespace}/secrets/${name}`;
}

function isUnused({ metadata }: SecretObject, now: number, unusedMs: number): boolean {
  if (metadata.deletionTimestamp !== undefined || Date.parse(metadata.creationTimestamp ?? '') >= now - unusedMs) return false;
  const lastUsed = metadata.labels?.[lastUsedLabel];
  if (lastUsed === undefined) return true;
  return dayIn(lastUsed) !== undefined && lastUsed < dayOf(now - unusedMs);
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

function dayIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
