// Made by `npm run generate`; do not edit.
import type { IntOrString } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type PathType = 'Exact' | 'ImplementationSpecific' | 'Prefix' | (string & {});

export type PolicyType = 'Egress' | 'Ingress' | (string & {});

export interface HTTPIngressPath {
  path?: string;
  pathType: PathType | null;
  backend: IngressBackend;
}

export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[] | null;
}

export interface IPAddress extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: IPAddressSpec;
}

export interface IPAddressList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: IPAddress[] | null;
}

export interface IPAddressSpec {
  parentRef?: ParentReference;
}

export interface IPBlock {
  cidr: string;
  except?: string[];
}

export interface Ingress extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: IngressSpec;
  status: IngressStatus;
}

export interface IngressBackend {
  service?: IngressServiceBackend;
  resource?: coreV1.TypedLocalObjectReference;
}

export interface IngressClass extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: IngressClassSpec;
}

export interface IngressClassList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: IngressClass[] | null;
}

export interface IngressClassParametersReference {
  apiGroup?: string;
  kind: string;
  name: string;
  scope: string | null;
  namespace?: string;
}

export interface IngressClassSpec {
  controller?: string;
  parameters?: IngressClassParametersReference;
}

export interface IngressList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Ingress[] | null;
}

export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
}

export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}

export interface IngressPortStatus {
  port: number;
  protocol: coreV1.Protocol;
  error?: string;
}

export interface IngressRule extends IngressRuleValue {
  host?: string;
}

export interface IngressRuleValue {
  http?: HTTPIngressRuleValue;
}

export interface IngressServiceBackend {
  name: string;
  port: ServiceBackendPort;
}

export interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
}

export interface IngressStatus {
  loadBalancer: IngressLoadBalancerStatus;
}

export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}

export interface NetworkPolicy extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: NetworkPolicySpec;
}

export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
}

export interface NetworkPolicyIngressRule {
  ports?: NetworkPolicyPort[];
  from?: NetworkPolicyPeer[];
}

export interface NetworkPolicyList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: NetworkPolicy[] | null;
}

export interface NetworkPolicyPeer {
  podSelector?: metaV1.LabelSelector;
  namespaceSelector?: metaV1.LabelSelector;
  ipBlock?: IPBlock;
}

export interface NetworkPolicyPort {
  protocol?: coreV1.Protocol;
  port?: IntOrString;
  endPort?: number;
}

export interface NetworkPolicySpec {
  podSelector: metaV1.LabelSelector;
  ingress?: NetworkPolicyIngressRule[];
  egress?: NetworkPolicyEgressRule[];
  policyTypes?: PolicyType[];
}

export interface ParentReference {
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}

export interface ServiceBackendPort {
  name?: string;
  number?: number;
}

export interface ServiceCIDR extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ServiceCIDRSpec;
  status: ServiceCIDRStatus;
}

export interface ServiceCIDRList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ServiceCIDR[] | null;
}

export interface ServiceCIDRSpec {
  cidrs?: string[];
}

export interface ServiceCIDRStatus {
  conditions?: metaV1.Condition[];
}
