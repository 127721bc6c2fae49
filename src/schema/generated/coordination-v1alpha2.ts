// Made by `npm run generate`; do not edit.
export const coordinationV1alpha2 = `{"id":"coordination-v1alpha2","package":"io.k8s.api.coordination.v1alpha2","version":"v1alpha2","group":"coordination.k8s.io","kinds":{"LeaseCandidate":"LeaseCandidate","LeaseCandidateList":"LeaseCandidateList"},"lifecycles":{"LeaseCandidate":{"introduced":"1.32","deprecated":"1.35","removed":"1.38"},"LeaseCandidateList":{"introduced":"1.32","deprecated":"1.35","removed":"1.38"}},"enums":{},"types":{
"LeaseCandidate":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","LeaseCandidateSpec",2,"er"]],
"LeaseCandidateList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]LeaseCandidate",2,"r"]],
"LeaseCandidateSpec":[["leaseName","string",1,"r"],["pingTime","microTime",2,"peo"],["renewTime","microTime",3,"peo"],["binaryVersion","string",4,"r"],["emulationVersion","string",5,"eo"],["strategy","string",6,"er",{"goType":"v1.CoordinatedLeaseStrategy"}]]
}}`;
