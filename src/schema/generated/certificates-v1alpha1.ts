// Made by `npm run generate`; do not edit.
export const certificatesV1alpha1 = `{"id":"certificates-v1alpha1","package":"io.k8s.api.certificates.v1alpha1","version":"v1alpha1","group":"certificates.k8s.io","kinds":{"ClusterTrustBundle":"ClusterTrustBundle","ClusterTrustBundleList":"ClusterTrustBundleList"},"lifecycles":{"ClusterTrustBundle":{"introduced":"1.26","deprecated":"1.34","removed":"1.37"},"ClusterTrustBundleList":{"introduced":"1.26","deprecated":"1.34","removed":"1.37"}},"enums":{},"types":{
"ClusterTrustBundle":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","ClusterTrustBundleSpec",2,"r"]],
"ClusterTrustBundleList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]ClusterTrustBundle",2,"r"]],
"ClusterTrustBundleSpec":[["signerName","string",1,"eo",{"validation":["alpha(since:\\"1.37\\")=+k8s:optional","alpha(since:\\"1.37\\")=+k8s:immutable"]}],["trustBundle","string",2,"r"]]
}}`;
