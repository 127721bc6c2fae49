import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KeyPair } from '../base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import type { ApiServerOptions } from '../index.ts';
import { startApiServer } from '../index.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { freePort } from '../../test/etcd/etcd-process.ts';
import { eventually } from '../../test/support/eventually.ts';
import { holdingBack } from '../../test/support/holding-back.ts';
import { RawClient } from '../../test/support/raw-client.ts';

const timeout = 60_000;

/** Keys that the part behind each check needs. A store that does not show them makes the check fail, and others stay. */
const needs: Readonly<Record<string, string>> = {
  'informer-sync': 'namespaces/',
  'poststarthook/start-apiserver-admission-initializer': 'validatingwebhookconfigurations/',
  'poststarthook/generic-apiserver-start-informers': 'clusterrolebindings/',
  'poststarthook/priority-and-fairness-config-consumer': 'flowschemas/',
  'poststarthook/priority-and-fairness-filter': 'prioritylevelconfigurations/',
  'poststarthook/storage-object-count-tracker-hook': 'pods/',
  'poststarthook/start-apiextensions-informers': 'apiextensions.k8s.io/customresourcedefinitions/',
  'poststarthook/start-apiextensions-controllers': 'apiextensions.k8s.io/customresourcedefinitions/',
  'poststarthook/crd-informer-synced': 'apiextensions.k8s.io/customresourcedefinitions/',
  'poststarthook/start-system-namespaces-controller': 'namespaces/kube-public',
  'poststarthook/peer-endpoint-reconciler-controller': 'peerserverleases/',
  'poststarthook/start-cluster-authentication-info-controller': 'configmaps/kube-system/extension-',
  'poststarthook/start-kube-apiserver-identity-lease-controller': 'leases/kube-system/apiserver-',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector': 'leases/kube-system/',
  'poststarthook/start-legacy-token-tracking-controller': 'configmaps/kube-system/kube-apiserver-legacy-',
  'poststarthook/start-service-ip-repair-controllers': 'services/specs/',
  'poststarthook/rbac/bootstrap-roles': 'roles/kube-system/',
  'poststarthook/scheduling/bootstrap-system-priority-classes': 'priorityclasses/system-',
  'poststarthook/priority-and-fairness-config-producer': 'flowschemas/',
  'poststarthook/bootstrap-controller': 'services/specs/default/kubernetes',
  'poststarthook/start-kubernetes-service-cidr-controller': 'servicecidrs/',
  'poststarthook/start-kube-aggregator-informers': 'apiregistration.k8s.io/apiservices/',
  'poststarthook/apiservice-registration-controller': 'apiregistration.k8s.io/apiservices/',
  'poststarthook/apiservice-discovery-controller': 'apiregistration.k8s.io/apiservices/',
  'poststarthook/kube-apiserver-autoregistration': 'apiregistration.k8s.io/apiservices/v1.apps',
  'poststarthook/apiservice-status-local-available-controller': 'apiregistration.k8s.io/apiservices/v1.apps',
  'poststarthook/apiservice-status-remote-available-controller': 'apiregistration.k8s.io/apiservices/v1.apps',
  'autoregister-completion': 'apiregistration.k8s.io/apiservices/v1.apps',
  'poststarthook/apiservice-openapi-controller': 'apiregistration.k8s.io/apiservices/',
  'poststarthook/apiservice-openapiv3-controller': 'apiregistration.k8s.io/apiservices/',
};
/** Checks that fail for other reasons; see health-checks.test.ts and the suites of stores. */
const storageVersionUpdater = 'poststarthook/built-in-resources-storage-version-updater';
const otherReasons = [storageVersionUpdater, 'ping', 'log', 'etcd', 'etcd-readiness', 'poststarthook/storage-readiness', 'shutdown'];

describe('a health check fails while its part cannot do its work', { concurrency: 4 }, () => {
  let authority: KeyPair;
  let admin: ReturnType<typeof issueCertificate>;
  before(() => {
    const validity = { from: new Date(Date.now() - 3600_000), to: new Date(Date.now() + 3600_000) };
    authority = createAuthority({ commonName: 'test' }, validity);
    admin = issueCertificate(authority, {
      subject: { commonName: 'admin', organizations: ['system:masters'] },
      uses: ['client'],
      validity,
    });
  });
  const seen = new Set<string>();

  const failuresWith = async (
    hold: (storage: Storage) => { storage: Storage; release: () => void },
    options: ApiServerOptions = {},
  ): Promise<{ failed: string[]; then: number }> => {
    await using memory = createMemoryStorage({});
    const { storage, release } = hold(memory);
    const port = await freePort();
    const starting = startApiServer({ storage, authority, port, controllers: false, ...options });
    await using client = new RawClient({ url: `https://127.0.0.1:${port}`, authority, admin });
    const failedNow = async (): Promise<string[]> => {
      const { text } = await client.call('GET', '/readyz?verbose');
      for (const [, name = ''] of text.matchAll(/^\[.\](\S+)/gm)) seen.add(name);
      return [...text.matchAll(/^\[-\](\S+) failed/gm)].map(([, name = '']) => name);
    };
    await eventually('the server listens', async () => client.call('GET', '/version').catch(() => undefined));
    // Those that do not depend on what is held back finish.
    let failed = await failedNow();
    for (let same = 0; same < 5;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const now = await failedNow();
      same = now.join() === failed.join() ? same + 1 : 0;
      failed = now;
    }
    release();
    await using _ = await starting;
    return { failed, then: (await client.call('GET', '/readyz')).status };
  };

  for (const prefix of new Set(Object.values(needs))) {
    const names = Object.keys(needs).filter((name) => needs[name] === prefix);
    test(`without ${prefix}: ${names.join(', ')}`, { timeout }, async () => {
      const { failed, then } = await failuresWith((storage) => holdingBack(storage, `/registry/${prefix}`));
      assert.deepEqual(
        names.filter((name) => !failed.includes(name)),
        [],
        failed.join(' '),
      );
      assert.ok(failed.length < Object.keys(needs).length, 'not everything fails');
      assert.equal(then, 200);
    });
  }

  test('without a healthy store: etcd, etcd-readiness, poststarthook/storage-readiness', { timeout }, async () => {
    const { failed, then } = await failuresWith((storage) => {
      let isHealthy = false;
      const health = async (): Promise<void> => {
        if (!isHealthy) throw new Error('the disk is gone');
      };
      const sick = new Proxy(storage, {
        get: (target, name: keyof Storage): unknown => {
          const member: unknown = name === 'health' ? health : target[name];
          return typeof member === 'function' && name !== 'health' ? (member.bind(target) as unknown) : member;
        },
      });
      return { storage: sick, release: () => void (isHealthy = true) };
    });
    assert.deepEqual(failed, ['etcd', 'etcd-readiness', 'poststarthook/storage-readiness']);
    assert.equal(then, 200);
  });

  test('without the StorageVersions: poststarthook/built-in-resources-storage-version-updater', { timeout }, async () => {
    const name = storageVersionUpdater;
    const { failed, then } = await failuresWith((storage) => holdingBack(storage, '/registry/storageversions/'), {
      features: { StorageVersionAPI: true },
      apis: { 'internal.apiserver.k8s.io/v1alpha1': true },
    });
    assert.ok(failed.includes(name), failed.join(' '));
    assert.equal(then, 200);
  });

  after(() => {
    assert.deepEqual(
      [...seen].filter((name) => needs[name] === undefined && !otherReasons.includes(name)),
      [],
      'checks without a fault',
    );
  });
});
