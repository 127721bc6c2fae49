// Made by `npm run generate`; do not edit.
export const apiserverinternalV1alpha1 = `{"id":"apiserverinternal-v1alpha1","package":"io.k8s.api.apiserverinternal.v1alpha1","version":"v1alpha1","group":"internal.apiserver.k8s.io","kinds":{"StorageVersion":"StorageVersion","StorageVersionList":"StorageVersionList"},"lifecycles":{},"enums":{},"types":{
"ServerStorageVersion":[["apiServerID","string",1,"er",{"go":"APIServerID"}],["encodingVersion","string",2,"er"],["decodableVersions","[]string",3,"er",{"listType":"set"}],["servedVersions","[]string",4,"eo",{"listType":"set"}]],
"StorageVersion":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"er",{"go":"ObjectMeta"}],["spec","StorageVersionSpec",2,"o"],["status","StorageVersionStatus",3,"o"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"StorageVersionCondition":[["type","string",1,"r",{"goType":"v1alpha1.StorageVersionConditionType"}],["status","string",2,"r",{"goType":"v1alpha1.ConditionStatus"}],["observedGeneration","int64",3,"eo"],["lastTransitionTime","time",4,"eo"],["reason","string",5,"r"],["message","string",6,"er"]],
"StorageVersionList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]StorageVersion",2,"r"]],
"StorageVersionSpec":[],
"StorageVersionStatus":[["storageVersions","[]ServerStorageVersion",1,"eo",{"listType":"map","listMapKeys":["apiServerID"]}],["commonEncodingVersion","string",2,"peo"],["conditions","[]StorageVersionCondition",3,"eo",{"listType":"map","listMapKeys":["type"]}]]
}}`;
