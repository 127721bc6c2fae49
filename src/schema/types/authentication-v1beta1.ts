// Made by `npm run generate`; do not edit.
import type * as authenticationV1 from './authentication-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type ExtraValue = string[];

export interface SelfSubjectReview extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  status: SelfSubjectReviewStatus;
}

export interface SelfSubjectReviewStatus {
  userInfo: authenticationV1.UserInfo;
}

export interface TokenReview extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: TokenReviewSpec;
  status: TokenReviewStatus;
}

export interface TokenReviewSpec {
  token?: string;
  audiences?: string[];
}

export interface TokenReviewStatus {
  authenticated?: boolean;
  user: UserInfo;
  audiences?: string[];
  error?: string;
}

export interface UserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, ExtraValue>;
}
