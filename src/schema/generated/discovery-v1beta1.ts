// Made by `npm run generate`; do not edit.
export const discoveryV1beta1 = `{"id":"discovery-v1beta1","package":"io.k8s.api.discovery.v1beta1","version":"v1beta1","group":"discovery.k8s.io","kinds":{"EndpointSlice":"EndpointSlice","EndpointSliceList":"EndpointSliceList"},"lifecycles":{"EndpointSlice":{"introduced":"1.16","deprecated":"1.21","replacement":["discovery.k8s.io","v1","EndpointSlice"],"removed":"1.25"},"EndpointSliceList":{"introduced":"1.16","deprecated":"1.21","replacement":["discovery.k8s.io","v1","EndpointSlice"],"removed":"1.25"}},"enums":{"AddressType":["FQDN","IPv4","IPv6"]},"enumRules":{"AddressType":["beta(since: \\"1.37\\")=+k8s:enum"]},"ruled":["Endpoint","EndpointSlice","EndpointSliceList"],"types":{
"Endpoint":[["addresses","[]string",1,"r",{"listType":"set","validation":["beta(since: \\"1.37\\")=+k8s:required","beta(since: \\"1.37\\")=+k8s:maxItems=100"]}],["conditions","EndpointConditions",2,"e"],["hostname","string",3,"peo"],["targetRef","core-v1.ObjectReference",4,"peo"],["topology","{}string",5,"eo"],["nodeName","string",6,"peo"],["hints","EndpointHints",7,"peo",{"featureGate":"TopologyAwareHints"}]],
"EndpointConditions":[["ready","bool",1,"peo"],["serving","bool",2,"peo"],["terminating","bool",3,"peo"]],
"EndpointHints":[["forZones","[]ForZone",1,"e",{"listType":"atomic"}],["forNodes","[]ForNode",2,"e",{"listType":"atomic"}]],
"EndpointPort":[["name","string",1,"pe"],["protocol","=core-v1.Protocol",2,"pe"],["port","int32",3,"pe"],["appProtocol","string",4,"peo"]],
"EndpointSlice":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["addressType","=AddressType",4,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:required","beta(since: \\"1.37\\")=+k8s:immutable"]}],["endpoints","[]Endpoint",2,"r",{"listType":"atomic","validation":["beta(since: \\"1.37\\")=+k8s:optional"]}],["ports","[]EndpointPort",3,"o",{"listType":"atomic"}]],
"EndpointSliceList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]EndpointSlice",2,"r"]],
"ForNode":[["name","string",1,"r"]],
"ForZone":[["name","string",1,"r"]]
}}`;
