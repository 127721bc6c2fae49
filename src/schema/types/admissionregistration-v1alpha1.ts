// Made by `npm run generate`; do not edit.
import type { Int64 } from '../scalars.ts';
import type * as admissionregistrationV1 from './admissionregistration-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type FailurePolicyType = 'Fail' | 'Ignore' | (string & {});

export type MatchPolicyType = 'Equivalent' | 'Exact' | (string & {});

export type ParameterNotFoundActionType = 'Allow' | 'Deny' | (string & {});

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

export type MatchCondition = admissionregistrationV1.MatchCondition;

export interface MatchResources {
  namespaceSelector?: metaV1.LabelSelector;
  objectSelector?: metaV1.LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: MatchPolicyType;
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
  failurePolicy?: FailurePolicyType;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: admissionregistrationV1.ReinvocationPolicyType;
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
  parameterNotFoundAction?: ParameterNotFoundActionType;
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
  failurePolicy?: FailurePolicyType;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: Variable[];
}

export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: Int64;
  typeChecking?: TypeChecking;
  conditions?: metaV1.Condition[];
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
