// Upstream: k8s.io/kubernetes/pkg/capabilities/capabilities.go
/** What the operator lets pods do, whatever a feature gate says. */
export interface Capabilities {
  /** --allow-privileged */
  readonly allowPrivileged: boolean;
}
