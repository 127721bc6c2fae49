// Made by `npm run generate`; do not edit.
export const schedulingV1 = `{"id":"scheduling-v1","package":"io.k8s.api.scheduling.v1","version":"v1","group":"scheduling.k8s.io","kinds":{"PriorityClass":"PriorityClass","PriorityClassList":"PriorityClassList"},"lifecycles":{"PriorityClass":{"introduced":"1.14"},"PriorityClassList":{"introduced":"1.14"}},"enums":{},"types":{
"PriorityClass":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["value","int32",2,"o"],["globalDefault","bool",3,"eo"],["description","string",4,"eo"],["preemptionPolicy","=core-v1.PreemptionPolicy",5,"peo"]],
"PriorityClassList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]PriorityClass",2,"r"]]
}}`;
