// Made by `npm run generate`; do not edit.
export const nodeV1beta1 = `{"id":"node-v1beta1","package":"io.k8s.api.node.v1beta1","version":"v1beta1","group":"node.k8s.io","kinds":{"RuntimeClass":"RuntimeClass","RuntimeClassList":"RuntimeClassList"},"lifecycles":{"RuntimeClass":{"introduced":"1.13","deprecated":"1.22","removed":"1.25"},"RuntimeClassList":{"introduced":"1.13","deprecated":"1.22","removed":"1.25"}},"enums":{},"ruled":["RuntimeClass","RuntimeClassList"],"types":{
"Overhead":[["podFixed","{}quantity",1,"eo",{"goType":"v1.ResourceList"}]],
"RuntimeClass":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["handler","string",2,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:format=\\"k8s-short-name\\"","beta(since: \\"1.37\\")=+k8s:immutable","beta(since: \\"1.37\\")=+k8s:required"]}],["overhead","Overhead",3,"peo"],["scheduling","Scheduling",4,"peo",{"validation":["alpha(since: \\"1.37\\")=+k8s:optional"]}]],
"RuntimeClassList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]RuntimeClass",2,"r"]],
"Scheduling":[["nodeSelector","{}string",1,"eo",{"mapType":"atomic"}],["tolerations","[]core-v1.Toleration",2,"eo",{"listType":"atomic","validation":["alpha(since: \\"1.37\\")=+k8s:optional"]}]]
}}`;
