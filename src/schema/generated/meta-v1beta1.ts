// Made by `npm run generate`; do not edit.
export const metaV1beta1 = `{"id":"meta-v1beta1","package":"io.k8s.apimachinery.pkg.apis.meta.v1beta1","group":"meta.k8s.io","version":"v1beta1","kinds":{"PartialObjectMetadata":"PartialObjectMetadata","PartialObjectMetadataList":"PartialObjectMetadataList","Table":"Table","TableOptions":"TableOptions"},"enums":{},"types":{
"PartialObjectMetadata":"meta-v1.PartialObjectMetadata",
"PartialObjectMetadataList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",2,"eo",{"go":"ListMeta"}],["items","[]meta-v1.PartialObjectMetadata",1,"r"]],
"Table":"meta-v1.Table",
"TableColumnDefinition":"meta-v1.TableColumnDefinition",
"TableOptions":"meta-v1.TableOptions",
"TableRow":"meta-v1.TableRow",
"TableRowCondition":"meta-v1.TableRowCondition"
}}`;
