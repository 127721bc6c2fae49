// Made by `npm run generate`; do not edit.
export const nodeV1alpha1 = `{"id":"node-v1alpha1","package":"io.k8s.api.node.v1alpha1","version":"v1alpha1","group":"node.k8s.io","kinds":{"RuntimeClass":"RuntimeClass","RuntimeClassList":"RuntimeClassList"},"lifecycles":{},"enums":{},"ruled":["RuntimeClass","RuntimeClassList","RuntimeClassSpec"],"types":{
"Overhead":[["podFixed","{}quantity",1,"eo",{"goType":"v1.ResourceList"}]],
"RuntimeClass":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","RuntimeClassSpec",2,"r"]],
"RuntimeClassList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]RuntimeClass",2,"r"]],
"RuntimeClassSpec":[["runtimeHandler","string",1,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:format=\\"k8s-short-name\\"","beta(since: \\"1.37\\")=+k8s:immutable","beta(since: \\"1.37\\")=+k8s:required"]}],["overhead","Overhead",2,"peo"],["scheduling","Scheduling",3,"peo",{"validation":["alpha(since: \\"1.37\\")=+k8s:optional"]}]],
"Scheduling":[["nodeSelector","{}string",1,"eo",{"mapType":"atomic"}],["tolerations","[]core-v1.Toleration",2,"eo",{"listType":"atomic","validation":["alpha(since: \\"1.37\\")=+k8s:optional"]}]]
}}`;
