// Made by `npm run generate`; do not edit.
export const storagemigrationV1 = `{"id":"storagemigration-v1","package":"io.k8s.api.storagemigration.v1","version":"v1","group":"storagemigration.k8s.io","kinds":{"StorageVersionMigration":"StorageVersionMigration","StorageVersionMigrationList":"StorageVersionMigrationList"},"lifecycles":{"StorageVersionMigration":{"introduced":"1.37"},"StorageVersionMigrationList":{"introduced":"1.37"}},"enums":{},"types":{
"StorageVersionMigration":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","StorageVersionMigrationSpec",2,"eo"],["status","StorageVersionMigrationStatus",3,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"StorageVersionMigrationList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]StorageVersionMigration",2,"r"]],
"StorageVersionMigrationSpec":[["resource","meta-v1.GroupResource",1,"r"]],
"StorageVersionMigrationStatus":[["conditions","[]meta-v1.Condition",1,"eo",{"listType":"map","listMapKeys":["type"],"patchStrategy":["merge"],"patchMergeKey":"type","validation":["alpha(since: \\"1.37\\")=+k8s:optional","alpha(since: \\"1.37\\")=+k8s:listType=map","alpha(since: \\"1.37\\")=+k8s:listMapKey=type"]}],["resourceVersion","string",2,"e"]]
}}`;
