import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pluginDefinitions } from './plugins.ts';

/** Upstream's order; a plus sign is on unless it is switched off. */
const upstream = `
  AlwaysAdmit NamespaceAutoProvision +NamespaceLifecycle NamespaceExists LimitPodHardAntiAffinityTopology +LimitRanger +ServiceAccount NodeRestriction
  +TaintNodesByCondition AlwaysPullImages ImagePolicyWebhook +PodSecurity PodNodeSelector +Priority +DefaultTolerationSeconds PodTolerationRestriction
  EventRateLimit ExtendedResourceToleration +DefaultStorageClass +StorageObjectInUseProtection +PodGroupProtection
  OwnerReferencesPermissionEnforcement +PersistentVolumeClaimResize +RuntimeClass +CertificateApproval +CertificateSigning +ClusterTrustBundleAttest
  +CertificateSubjectRestriction +DefaultIngressClass DenyServiceExternalIPs +PodTopologyLabels +NodeDeclaredFeatureValidator +PodResizeValidator
  +MutatingAdmissionPolicy +MutatingAdmissionWebhook +ValidatingAdmissionPolicy +ValidatingAdmissionWebhook +ResourceQuota AlwaysDeny`;

test('plugins run in the order of upstream, and the same ones are on by default', () => {
  const shown = pluginDefinitions.map(({ name, enabledByDefault }) => `${enabledByDefault ? '+' : ''}${name}`);
  assert.deepEqual(shown, upstream.trim().split(/\s+/));
});
