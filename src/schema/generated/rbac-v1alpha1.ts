// Made by `npm run generate`; do not edit.
export const rbacV1alpha1 = `{"id":"rbac-v1alpha1","package":"io.k8s.api.rbac.v1alpha1","version":"v1alpha1","group":"rbac.authorization.k8s.io","kinds":{"ClusterRole":"ClusterRole","ClusterRoleBinding":"ClusterRoleBinding","ClusterRoleBindingList":"ClusterRoleBindingList","ClusterRoleList":"ClusterRoleList","Role":"Role","RoleBinding":"RoleBinding","RoleBindingList":"RoleBindingList","RoleList":"RoleList"},"lifecycles":{},"enums":{},"types":{
"AggregationRule":[["clusterRoleSelectors","[]meta-v1.LabelSelector",1,"eo",{"listType":"atomic"}]],
"ClusterRole":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["rules","[]PolicyRule",2,"o",{"listType":"atomic","validation":["beta(since: \\"1.37\\")=+k8s:optional"]}],["aggregationRule","AggregationRule",3,"peo"]],
"ClusterRoleBinding":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["subjects","[]Subject",2,"eo",{"listType":"atomic","validation":["beta(since: \\"1.37\\")=+k8s:optional"]}],["roleRef","RoleRef",3,"r",{"validation":["alpha(since:\\"1.37\\")=+k8s:immutable"]}]],
"ClusterRoleBindingList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]ClusterRoleBinding",2,"r"]],
"ClusterRoleList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]ClusterRole",2,"r"]],
"PolicyRule":[["verbs","[]string",1,"r",{"listType":"atomic","validation":["beta(since: \\"1.37\\")=+k8s:required"]}],["apiGroups","[]string",3,"eo",{"go":"APIGroups","listType":"atomic"}],["resources","[]string",4,"eo",{"listType":"atomic"}],["resourceNames","[]string",5,"eo",{"listType":"atomic"}],["nonResourceURLs","[]string",6,"eo",{"listType":"atomic"}]],
"Role":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["rules","[]PolicyRule",2,"o",{"listType":"atomic","validation":["beta(since: \\"1.37\\")=+k8s:optional"]}]],
"RoleBinding":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["subjects","[]Subject",2,"eo",{"listType":"atomic","validation":["beta(since: \\"1.37\\")=+k8s:optional"]}],["roleRef","RoleRef",3,"r",{"validation":["alpha(since:\\"1.37\\")=+k8s:immutable"]}]],
"RoleBindingList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]RoleBinding",2,"r"]],
"RoleList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]Role",2,"r"]],
"RoleRef":[["apiGroup","string",1,"o",{"go":"APIGroup"}],["kind","string",2,"r"],["name","string",3,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:required"]}]],
"Subject":[["kind","string",1,"r"],["apiVersion","string",2,"eo",{"go":"APIVersion"}],["name","string",3,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:required"]}],["namespace","string",4,"eo"]]
}}`;
