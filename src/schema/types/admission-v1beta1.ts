// Made by `npm run generate`; do not edit.
import type { Base64, RawExtension } from '../scalars.ts';
import type * as authenticationV1 from './authentication-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface AdmissionRequest {
  uid: string;
  kind: metaV1.GroupVersionKind;
  resource: metaV1.GroupVersionResource;
  subResource?: string;
  requestKind?: metaV1.GroupVersionKind;
  requestResource?: metaV1.GroupVersionResource;
  requestSubResource?: string;
  name?: string;
  namespace?: string;
  operation: string;
  userInfo: authenticationV1.UserInfo;
  object: RawExtension | null;
  oldObject: RawExtension | null;
  dryRun?: boolean;
  options: RawExtension | null;
}

export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: metaV1.Status;
  patch?: Base64;
  patchType?: string;
  auditAnnotations?: Record<string, string>;
  warnings?: string[];
}

export interface AdmissionReview extends metaV1.TypeMeta {
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}
