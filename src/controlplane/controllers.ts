import { certificateApproving } from '../controllers/certificate-signing-request-approving/controller.ts';
import { certificateCleaner } from '../controllers/certificate-signing-request-cleaner/controller.ts';
import type { CertificateSigner } from '../controllers/certificate-signing-request-signing/controller.ts';
import { certificateSigning } from '../controllers/certificate-signing-request-signing/controller.ts';
import { clusterRoleAggregation } from '../controllers/cluster-role-aggregation/controller.ts';
import type { Controller } from '../controllers/common/controller.ts';
import { disruption } from '../controllers/disruption/controller.ts';
import { endpointSliceMirroring } from '../controllers/endpoint-slice-mirroring/controller.ts';
import { endpointSlices } from '../controllers/endpoint-slice/controller.ts';
import { endpoints } from '../controllers/endpoints/controller.ts';
import { garbageCollector } from '../controllers/garbage-collector/controller.ts';
import { legacyTokenCleaner } from '../controllers/legacy-token-cleaner/controller.ts';
import { namespaces } from '../controllers/namespace/controller.ts';
import { persistentVolumeClaimProtection } from '../controllers/persistent-volume-claim-protection/controller.ts';
import { persistentVolumeProtection } from '../controllers/persistent-volume-protection/controller.ts';
import { podGarbageCollector } from '../controllers/pod-garbage-collector/controller.ts';
import { resourceQuota } from '../controllers/resource-quota/controller.ts';
import { rootCertificatePublisher } from '../controllers/root-certificate/controller.ts';
import { serviceCidrs } from '../controllers/service-cidr/controller.ts';
import { serviceAccountTokens } from '../controllers/service-account-token/controller.ts';
import { serviceAccounts } from '../controllers/service-account/controller.ts';
import { storageVersionMigrator } from '../controllers/storage-version-migrator/controller.ts';
import { ttlAfterFinished } from '../controllers/ttl-after-finished/controller.ts';
import { validatingAdmissionPolicyStatus } from '../controllers/validating-admission-policy-status/controller.ts';
import type { SecretTokenSigner } from '../server/registry/tokens.ts';
import type { ControllerName } from './controller-names.ts';

export interface ControllersOptions {
  /** PEM of the authority that the server's certificate is from */
  readonly rootAuthority: string;
  readonly signSecretToken?: SecretTokenSigner | undefined;
  /** of certificates; undefined: none are signed */
  readonly signer?: CertificateSigner | undefined;
  /** after which unused tokens are cleaned up */
  readonly unusedTokenMs: number;
}

/** Controllers that can run inside the server. Upstream has none of them: there they are in kube-controller-manager. */
export function controllers({
  rootAuthority,
  signSecretToken,
  signer,
  unusedTokenMs,
}: ControllersOptions): Readonly<Record<ControllerName, Controller | undefined>> {
  return {
    'certificatesigningrequest-approving-controller': certificateApproving,
    'certificatesigningrequest-cleaner-controller': certificateCleaner,
    'certificatesigningrequest-signing-controller': signer && certificateSigning(signer),
    'clusterrole-aggregation-controller': clusterRoleAggregation,
    'disruption-controller': disruption,
    'endpoints-controller': endpoints,
    'endpointslice-controller': endpointSlices,
    'endpointslice-mirroring-controller': endpointSliceMirroring,
    'garbage-collector-controller': garbageCollector,
    'legacy-serviceaccount-token-cleaner-controller': legacyTokenCleaner(unusedTokenMs),
    'namespace-controller': namespaces,
    'persistentvolume-protection-controller': persistentVolumeProtection,
    'persistentvolumeclaim-protection-controller': persistentVolumeClaimProtection,
    'pod-garbage-collector-controller': podGarbageCollector,
    'resourcequota-controller': resourceQuota,
    'root-ca-certificate-publisher-controller': rootCertificatePublisher(rootAuthority),
    'service-cidr-controller': serviceCidrs,
    'serviceaccount-controller': serviceAccounts,
    'serviceaccount-token-controller': signSecretToken && serviceAccountTokens({ rootAuthority, sign: signSecretToken }),
    'storage-version-migrator-controller': storageVersionMigrator,
    'ttl-after-finished-controller': ttlAfterFinished,
    'validatingadmissionpolicy-status-controller': validatingAdmissionPolicyStatus,
  };
}
