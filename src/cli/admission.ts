// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/options/admission.go, k8s.io/apiserver/pkg/server/options/admission.go
import { goQuote } from '../machinery/go-format.ts';
import type { ServerOptions } from './flags/index.ts';

/** Names that the flags take: those of all plugins, which are not loaded before flags are known to be right. */
export const knownPlugins: ReadonlySet<string> = new Set([
  'AlwaysAdmit',
  'AlwaysDeny',
  'AlwaysPullImages',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'ClusterTrustBundleAttest',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'DenyServiceExternalIPs',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'ImagePolicyWebhook',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'NamespaceAutoProvision',
  'NamespaceExists',
  'NamespaceLifecycle',
  'NodeDeclaredFeatureValidator',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'PodGroupProtection',
  'PodNodeSelector',
  'PodResizeValidator',
  'PodSecurity',
  'PodTolerationRestriction',
  'PodTopologyLabels',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
]);

export function* validateAdmission(flags: ServerOptions): Iterable<string> {
  const [only, enabled, disabled] = [flags['admission-control'], flags['enable-admission-plugins'], flags['disable-admission-plugins']];
  if (only.length > 0 && (enabled.length > 0 || disabled.length > 0)) {
    yield 'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive';
  }
  const unknown = (names: readonly string[]): string[] => names.filter((name) => !knownPlugins.has(name));
  for (const name of unknown(only)) yield `admission-control plugin ${goQuote(name)} is unknown`;
  for (const name of unknown(enabled)) yield `enable-admission-plugins plugin ${goQuote(name)} is unknown`;
  for (const name of unknown(disabled)) yield `disable-admission-plugins plugin ${goQuote(name)} is unknown`;
  const both = [...new Set(enabled)].filter((name) => disabled.includes(name)).toSorted();
  if (both.length > 0) yield `[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`;
}
