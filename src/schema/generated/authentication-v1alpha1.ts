// Made by `npm run generate`; do not edit.
export const authenticationV1alpha1 = `{"id":"authentication-v1alpha1","package":"io.k8s.api.authentication.v1alpha1","version":"v1alpha1","group":"authentication.k8s.io","kinds":{"SelfSubjectReview":"SelfSubjectReview"},"lifecycles":{"SelfSubjectReview":{"introduced":"1.26","deprecated":"1.29","removed":"1.32"}},"enums":{},"types":{
"SelfSubjectReview":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["status","SelfSubjectReviewStatus",2,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"SelfSubjectReviewStatus":[["userInfo","authentication-v1.UserInfo",1,"eo"]]
}}`;
