// Made by `npm run generate`; do not edit.
export const coordinationV1 = `{"id":"coordination-v1","package":"io.k8s.api.coordination.v1","version":"v1","group":"coordination.k8s.io","kinds":{"Lease":"Lease","LeaseList":"LeaseList"},"lifecycles":{"Lease":{"introduced":"1.14"},"LeaseList":{"introduced":"1.19"}},"enums":{},"types":{
"Lease":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","LeaseSpec",2,"eo"]],
"LeaseList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]Lease",2,"r"]],
"LeaseSpec":[["holderIdentity","string",1,"peo"],["leaseDurationSeconds","int32",2,"peo"],["acquireTime","microTime",3,"peo"],["renewTime","microTime",4,"peo"],["leaseTransitions","int32",5,"peo"],["strategy","string",6,"peo",{"goType":"v1.CoordinatedLeaseStrategy","featureGate":"CoordinatedLeaderElection"}],["preferredHolder","string",7,"peo",{"featureGate":"CoordinatedLeaderElection"}]]
}}`;
