// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/authorizer/modes/modes.go

export const authorizationModes: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];
