// Made by `npm run generate`; do not edit.
export const authenticationV1 = `{"id":"authentication-v1","package":"io.k8s.api.authentication.v1","version":"v1","group":"authentication.k8s.io","kinds":{"SelfSubjectReview":"SelfSubjectReview","TokenRequest":"TokenRequest","TokenReview":"TokenReview"},"lifecycles":{"SelfSubjectReview":{"introduced":"1.28"},"TokenRequest":{"introduced":"1.10"},"TokenReview":{"introduced":"1.6"}},"enums":{},"types":{
"AttestationValue":{"items":"string"},
"BoundObjectReference":[["kind","string",1,"eo"],["apiVersion","string",2,"eo",{"go":"APIVersion"}],["name","string",3,"eo"],["uid","string",4,"eo",{"goType":"types.UID","go":"UID"}]],
"ExtraValue":{"items":"string"},
"SelfSubjectReview":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["status","SelfSubjectReviewStatus",2,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"SelfSubjectReviewStatus":[["userInfo","UserInfo",1,"eo"]],
"TokenRequest":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["spec","TokenRequestSpec",2,"o"],["status","TokenRequestStatus",3,"eo"]],
"TokenRequestSpec":[["audiences","[]string",1,"o",{"listType":"atomic"}],["expirationSeconds","int64",4,"po"],["boundObjectRef","BoundObjectReference",3,"po"],["attestations","{}AttestationValue",5,"eo",{"goType":"map[string]v1.AttestationValue"}]],
"TokenRequestStatus":[["token","string",1,"o"],["expirationTimestamp","time",2,"o"]],
"TokenReview":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["spec","TokenReviewSpec",2,"r"],["status","TokenReviewStatus",3,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"TokenReviewSpec":[["token","string",1,"er"],["audiences","[]string",2,"eo",{"listType":"atomic"}]],
"TokenReviewStatus":[["authenticated","bool",1,"eo"],["user","UserInfo",2,"eo"],["audiences","[]string",4,"eo",{"listType":"atomic"}],["error","string",3,"eo"]],
"UserInfo":[["username","string",1,"eo"],["uid","string",2,"eo",{"go":"UID"}],["groups","[]string",3,"eo",{"listType":"atomic"}],["extra","{}ExtraValue",4,"eo",{"goType":"map[string]v1.ExtraValue"}]]
}}`;
