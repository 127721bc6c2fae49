// Made by `npm run generate`; do not edit.
export const storageV1alpha1 = `{"id":"storage-v1alpha1","package":"io.k8s.api.storage.v1alpha1","version":"v1alpha1","group":"storage.k8s.io","kinds":{"CSIStorageCapacity":"CSIStorageCapacity","CSIStorageCapacityList":"CSIStorageCapacityList","VolumeAttachment":"VolumeAttachment","VolumeAttachmentList":"VolumeAttachmentList","VolumeAttributesClass":"VolumeAttributesClass","VolumeAttributesClassList":"VolumeAttributesClassList"},"enums":{},"types":{
"CSIStorageCapacity":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["nodeTopology","meta-v1.LabelSelector",2,"peo"],["storageClassName","string",3,"r"],["capacity","quantity",4,"peo"],["maximumVolumeSize","quantity",5,"peo"]],
"CSIStorageCapacityList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]CSIStorageCapacity",2,"r"]],
"VolumeAttachment":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","VolumeAttachmentSpec",2,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:immutable"]}],["status","VolumeAttachmentStatus",3,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"VolumeAttachmentList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]VolumeAttachment",2,"r"]],
"VolumeAttachmentSource":[["persistentVolumeName","string",1,"peo"],["inlineVolumeSpec","core-v1.PersistentVolumeSpec",2,"peo"]],
"VolumeAttachmentSpec":[["attacher","string",1,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:required","beta(since: \\"1.37\\")=+k8s:format=\\"k8s-long-name-caseless\\"","beta(since: \\"1.37\\")=+k8s:maxLength=63"]}],["source","VolumeAttachmentSource",2,"r"],["nodeName","string",3,"r"]],
"VolumeAttachmentStatus":[["attached","bool",1,"r"],["attachmentMetadata","{}string",2,"eo"],["attachError","VolumeError",3,"peo"],["detachError","VolumeError",4,"peo"]],
"VolumeAttributesClass":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["driverName","string",2,"r"],["parameters","{}string",3,"e"]],
"VolumeAttributesClassList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]VolumeAttributesClass",2,"r"]],
"VolumeError":[["time","time",1,"eo"],["message","string",2,"eo"],["errorCode","int32",3,"peo",{"featureGate":"MutableCSINodeAllocatableCount"}]]
}}`;
