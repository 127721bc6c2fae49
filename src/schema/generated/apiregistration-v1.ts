// Made by `npm run generate`; do not edit.
export const apiregistrationV1 = `{"id":"apiregistration-v1","package":"io.k8s.kube-aggregator.pkg.apis.apiregistration.v1","version":"v1","group":"apiregistration.k8s.io","kinds":{"APIService":"APIService","APIServiceList":"APIServiceList"},"lifecycles":{"APIService":{"introduced":"1.10"},"APIServiceList":{"introduced":"1.10"}},"enums":{},"types":{
"APIService":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","APIServiceSpec",2,"e"],["status","APIServiceStatus",3,"e"]],
"APIServiceCondition":[["type","string",1,"r",{"goType":"v1.APIServiceConditionType"}],["status","string",2,"r",{"goType":"v1.ConditionStatus"}],["lastTransitionTime","time",3,"eo"],["reason","string",4,"eo"],["message","string",5,"eo"]],
"APIServiceList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]APIService",2,"r"]],
"APIServiceSpec":[["service","ServiceReference",1,"peo"],["group","string",2,"e"],["version","string",3,"e"],["insecureSkipTLSVerify","bool",4,"e"],["caBundle","bytes",5,"eo",{"go":"CABundle","listType":"atomic"}],["groupPriorityMinimum","int32",7,"r"],["versionPriority","int32",8,"r"]],
"APIServiceStatus":[["conditions","[]APIServiceCondition",1,"eo",{"listType":"map","listMapKeys":["type"],"patchStrategy":["merge"],"patchMergeKey":"type"}]],
"ServiceReference":[["namespace","string",1,"e"],["name","string",2,"e"],["port","int32",3,"peo"]]
}}`;
