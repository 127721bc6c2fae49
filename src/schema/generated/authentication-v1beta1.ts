// Made by `npm run generate`; do not edit.
export const authenticationV1beta1 = `{"id":"authentication-v1beta1","package":"io.k8s.api.authentication.v1beta1","version":"v1beta1","group":"authentication.k8s.io","kinds":{"SelfSubjectReview":"SelfSubjectReview","TokenReview":"TokenReview"},"lifecycles":{"SelfSubjectReview":{"introduced":"1.27","deprecated":"1.30","removed":"1.33"},"TokenReview":{"introduced":"1.4","deprecated":"1.19","replacement":["authentication.k8s.io","v1","TokenReview"],"removed":"1.22"}},"enums":{},"types":{
"ExtraValue":{"items":"string"},
"SelfSubjectReview":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["status","SelfSubjectReviewStatus",2,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"SelfSubjectReviewStatus":[["userInfo","authentication-v1.UserInfo",1,"eo"]],
"TokenReview":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["spec","TokenReviewSpec",2,"r"],["status","TokenReviewStatus",3,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"TokenReviewSpec":[["token","string",1,"er"],["audiences","[]string",2,"eo",{"listType":"atomic"}]],
"TokenReviewStatus":[["authenticated","bool",1,"eo"],["user","UserInfo",2,"eo"],["audiences","[]string",4,"eo",{"listType":"atomic"}],["error","string",3,"eo"]],
"UserInfo":[["username","string",1,"eo"],["uid","string",2,"eo",{"go":"UID"}],["groups","[]string",3,"eo",{"listType":"atomic"}],["extra","{}ExtraValue",4,"eo",{"goType":"map[string]v1beta1.ExtraValue"}]]
}}`;
