// Made by `npm run generate`; do not edit.
export const discoveryV1 = `{"id":"discovery-v1","package":"io.k8s.api.discovery.v1","version":"v1","group":"discovery.k8s.io","kinds":{"EndpointSlice":"EndpointSlice","EndpointSliceList":"EndpointSliceList"},"lifecycles":{"EndpointSlice":{"introduced":"1.21"},"EndpointSliceList":{"introduced":"1.21"}},"enums":{"AddressType":["FQDN","IPv4","IPv6"]},"enumRules":{"AddressType":["beta(since: \\"1.37\\")=+k8s:enum"]},"ruled":["Endpoint","EndpointSlice","EndpointSliceList"],"types":{
"Endpoint":[["addresses","[]string",1,"r",{"listType":"set","validation":["beta(since: \\"1.37\\")=+k8s:required","beta(since: \\"1.37\\")=+k8s:maxItems=100"]}],["conditions","EndpointConditions",2,"e"],["hostname","string",3,"peo"],["targetRef","core-v1.ObjectReference",4,"peo"],["deprecatedTopology","{}string",5,"eo"],["nodeName","string",6,"peo"],["zone","string",7,"peo"],["hints","EndpointHints",8,"peo"]],
"EndpointConditions":[["ready","bool",1,"peo"],["serving","bool",2,"peo"],["terminating","bool",3,"peo"]],
"EndpointHints":[["forZones","[]ForZone",1,"e",{"listType":"atomic"}],["forNodes","[]ForNode",2,"e",{"listType":"atomic"}]],
"EndpointPort":{"fields":[["name","string",1,"pe"],["protocol","=core-v1.Protocol",2,"pe"],["port","int32",3,"pe"],["appProtocol","string",4,"peo"]],"extra":{"mapType":"atomic"}},
"EndpointSlice":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["addressType","=AddressType",4,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:required","beta(since: \\"1.37\\")=+k8s:immutable"]}],["endpoints","[]Endpoint",2,"o",{"listType":"atomic","validation":["beta(since: \\"1.37\\")=+k8s:optional"]}],["ports","[]EndpointPort",3,"o",{"listType":"atomic"}]],
"EndpointSliceList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]EndpointSlice",2,"r"]],
"ForNode":[["name","string",1,"r"]],
"ForZone":[["name","string",1,"r"]]
}}`;
