// Made by `npm run generate`; do not edit.
import type { Base64, Int64 } from '../scalars.ts';
import type * as admissionregistrationV1 from './admissionregistration-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type PatchType = 'ApplyConfiguration' | 'JSONPatch' | (string & {});

export type ValidationAction = 'Audit' | 'Deny' | 'Warn' | (string & {});

export interface ApplyConfiguration {
  expression?: string;
}

export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}

export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}

export interface JSONPatch {
  expression?: string;
}

export interface MatchCondition {
  name: string;
  expression: string;
}

export interface MatchResources {
  namespaceSelector?: metaV1.LabelSelector;
  objectSelector?: metaV1.LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: string;
}

export interface MutatingAdmissionPolicy extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: MutatingAdmissionPolicySpec;
}

export interface MutatingAdmissionPolicyBinding extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: MutatingAdmissionPolicyBindingSpec;
}

export interface MutatingAdmissionPolicyBindingList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: MutatingAdmissionPolicyBinding[] | null;
}

export interface MutatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
}

export interface MutatingAdmissionPolicyList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: MutatingAdmissionPolicy[] | null;
}

export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Variable[];
  mutations?: Mutation[];
  failurePolicy?: string;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: admissionregistrationV1.ReinvocationPolicyType;
}

export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: admissionregistrationV1.RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: metaV1.LabelSelector;
  objectSelector?: metaV1.LabelSelector;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[];
  reinvocationPolicy?: admissionregistrationV1.ReinvocationPolicyType;
  matchConditions?: MatchCondition[];
}

export interface MutatingWebhookConfiguration extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  webhooks?: MutatingWebhook[];
}

export interface MutatingWebhookConfigurationList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: MutatingWebhookConfiguration[] | null;
}

export interface Mutation {
  patchType: PatchType;
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
}

export interface NamedRuleWithOperations extends admissionregistrationV1.RuleWithOperations {
  resourceNames?: string[];
}

export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}

export interface ParamRef {
  name?: string;
  namespace?: string;
  selector?: metaV1.LabelSelector;
  parameterNotFoundAction?: string;
}

export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}

export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[];
}

export interface ValidatingAdmissionPolicy extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ValidatingAdmissionPolicySpec;
  status: ValidatingAdmissionPolicyStatus;
}

export interface ValidatingAdmissionPolicyBinding extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ValidatingAdmissionPolicyBindingSpec;
}

export interface ValidatingAdmissionPolicyBindingList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ValidatingAdmissionPolicyBinding[] | null;
}

export interface ValidatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: ValidationAction[];
}

export interface ValidatingAdmissionPolicyList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ValidatingAdmissionPolicy[] | null;
}

export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Validation[];
  failurePolicy?: string;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: Variable[];
}

export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: Int64;
  typeChecking?: TypeChecking;
  conditions?: metaV1.Condition[];
}

export interface ValidatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: admissionregistrationV1.RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: metaV1.LabelSelector;
  objectSelector?: metaV1.LabelSelector;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[];
  matchConditions?: MatchCondition[];
}

export interface ValidatingWebhookConfiguration extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  webhooks?: ValidatingWebhook[];
}

export interface ValidatingWebhookConfigurationList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ValidatingWebhookConfiguration[] | null;
}

export interface Validation {
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
}

export interface Variable {
  name: string;
  expression: string;
}

export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: Base64;
}
