// Made by `npm run generate`; do not edit.
export const apidiscoveryV2 = `{"id":"apidiscovery-v2","package":"io.k8s.api.apidiscovery.v2","version":"v2","group":"apidiscovery.k8s.io","kinds":{"APIGroupDiscovery":"APIGroupDiscovery","APIGroupDiscoveryList":"APIGroupDiscoveryList"},"enums":{},"types":{
"APIGroupDiscovery":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["versions","[]APIVersionDiscovery",2,"eo",{"listType":"map","listMapKeys":["version"]}]],
"APIGroupDiscoveryList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]APIGroupDiscovery",2,"o"]],
"APIResourceDiscovery":[["resource","string",1,"o"],["responseKind","meta-v1.GroupVersionKind",2,"peo"],["scope","string",3,"o"],["singularResource","string",4,"o"],["verbs","[]string",5,"o",{"listType":"set"}],["shortNames","[]string",6,"eo",{"listType":"set"}],["categories","[]string",7,"eo",{"listType":"set"}],["subresources","[]APISubresourceDiscovery",8,"eo",{"listType":"map","listMapKeys":["subresource"]}]],
"APISubresourceDiscovery":[["subresource","string",1,"o"],["responseKind","meta-v1.GroupVersionKind",2,"peo"],["acceptedTypes","[]meta-v1.GroupVersionKind",3,"eo",{"listType":"map","listMapKeys":["group","version","kind"]}],["verbs","[]string",4,"o",{"listType":"set"}]],
"APIVersionDiscovery":[["version","string",1,"o"],["resources","[]APIResourceDiscovery",2,"eo",{"listType":"map","listMapKeys":["resource"]}],["freshness","string",3,"eo"]]
}}`;
