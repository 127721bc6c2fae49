// Upstream: pkg/kubeapiserver/authorizer/modes/modes.go

export const authorizationModes: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];
