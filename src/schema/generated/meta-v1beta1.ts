// Made by `npm run generate`; do not edit.
export const metaV1beta1 = `{"id":"meta-v1beta1","package":"io.k8s.apimachinery.pkg.apis.meta.v1beta1","version":"v1beta1","group":"meta.k8s.io","kinds":{"PartialObjectMetadata":"meta-v1.PartialObjectMetadata","PartialObjectMetadataList":"PartialObjectMetadataList","Table":"meta-v1.Table","TableOptions":"meta-v1.TableOptions"},"lifecycles":{},"enums":{},"types":{
"PartialObjectMetadataList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",2,"eo",{"go":"ListMeta"}],["items","[]meta-v1.PartialObjectMetadata",1,"r"]]
}}`;
