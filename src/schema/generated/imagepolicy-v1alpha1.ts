// Made by `npm run generate`; do not edit.
export const imagepolicyV1alpha1 = `{"id":"imagepolicy-v1alpha1","package":"io.k8s.api.imagepolicy.v1alpha1","version":"v1alpha1","group":"imagepolicy.k8s.io","kinds":{"ImageReview":"ImageReview"},"lifecycles":{},"enums":{},"types":{
"ImageReview":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["spec","ImageReviewSpec",2,"o"],["status","ImageReviewStatus",3,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"ImageReviewContainerSpec":[["image","string",1,"eo"]],
"ImageReviewSpec":[["containers","[]ImageReviewContainerSpec",1,"eo",{"listType":"atomic"}],["annotations","{}string",2,"eo"],["namespace","string",3,"eo"]],
"ImageReviewStatus":[["allowed","bool",1,"o"],["reason","string",2,"eo"],["auditAnnotations","{}string",3,"eo"]]
}}`;
