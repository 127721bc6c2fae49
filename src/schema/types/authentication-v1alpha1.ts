// Made by `npm run generate`; do not edit.
import type * as authenticationV1 from './authentication-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface SelfSubjectReview extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  status: SelfSubjectReviewStatus;
}

export interface SelfSubjectReviewStatus {
  userInfo: authenticationV1.UserInfo;
}
