// Made by `npm run generate`; do not edit.
export const coordinationV1beta1 = `{"id":"coordination-v1beta1","package":"io.k8s.api.coordination.v1beta1","version":"v1beta1","group":"coordination.k8s.io","kinds":{"Lease":"Lease","LeaseCandidate":"LeaseCandidate","LeaseCandidateList":"LeaseCandidateList","LeaseList":"LeaseList"},"enums":{},"types":{
"Lease":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","LeaseSpec",2,"eo"]],
"LeaseCandidate":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","LeaseCandidateSpec",2,"er"]],
"LeaseCandidateList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]LeaseCandidate",2,"r"]],
"LeaseCandidateSpec":[["leaseName","string",1,"r"],["pingTime","microTime",2,"peo"],["renewTime","microTime",3,"peo"],["binaryVersion","string",4,"r"],["emulationVersion","string",5,"eo"],["strategy","string",6,"er"]],
"LeaseList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]Lease",2,"r"]],
"LeaseSpec":[["holderIdentity","string",1,"peo"],["leaseDurationSeconds","int32",2,"peo"],["acquireTime","microTime",3,"peo"],["renewTime","microTime",4,"peo"],["leaseTransitions","int32",5,"peo"],["strategy","string",6,"peo",{"featureGate":"CoordinatedLeaderElection"}],["preferredHolder","string",7,"peo",{"featureGate":"CoordinatedLeaderElection"}]]
}}`;
