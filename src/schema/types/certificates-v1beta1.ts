// Made by `npm run generate`; do not edit.
import type { Base64, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export interface CertificateSigningRequest extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: CertificateSigningRequestSpec;
  status: CertificateSigningRequestStatus;
}

export interface CertificateSigningRequestCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime: Time | null;
  lastTransitionTime: Time | null;
}

export interface CertificateSigningRequestList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: CertificateSigningRequest[] | null;
}

export interface CertificateSigningRequestSpec {
  request: Base64 | null;
  signerName?: string;
  expirationSeconds?: number;
  usages?: string[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, ExtraValue>;
}

export interface CertificateSigningRequestStatus {
  conditions?: CertificateSigningRequestCondition[];
  certificate?: Base64;
}

export interface ClusterTrustBundle extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ClusterTrustBundleSpec;
}

export interface ClusterTrustBundleList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ClusterTrustBundle[] | null;
}

export interface ClusterTrustBundleSpec {
  signerName?: string;
  trustBundle: string;
}

export type ExtraValue = string[];

export interface PodCertificateRequest extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: PodCertificateRequestSpec;
  status: PodCertificateRequestStatus;
}

export interface PodCertificateRequestList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: PodCertificateRequest[] | null;
}

export interface PodCertificateRequestSpec {
  signerName: string;
  podName: string;
  podUID: string;
  serviceAccountName: string;
  serviceAccountUID: string;
  nodeName: string;
  nodeUID: string;
  maxExpirationSeconds?: number;
  pkixPublicKey: Base64 | null;
  proofOfPossession: Base64 | null;
  stubPKCS10Request: Base64 | null;
  unverifiedUserAnnotations?: Record<string, string>;
}

export interface PodCertificateRequestStatus {
  conditions?: metaV1.Condition[];
  certificateChain?: string;
  notBefore?: Time;
  beginRefreshAt?: Time;
  notAfter?: Time;
}
