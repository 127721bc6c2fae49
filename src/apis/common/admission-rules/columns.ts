// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printValidatingAdmissionPolicy, #printValidatingAdmissionPolicyBinding
import type { LabelSelector } from '../../../machinery/label-selector.ts';
import type { ParamKind, ParamRef } from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';

const unset = '<unset>';

/** After the column that counts what the policy has. */
export const paramKindColumn: Column<KubeObject & { readonly spec: { readonly paramKind?: ParamKind } }> = {
  name: 'ParamKind',
  type: 'string',
  description: 'ParamKind specifies the kind of resources used to parameterize this policy',
  cell: ({ spec: { paramKind } }) => (paramKind === undefined ? unset : `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}`),
};

type Binding = KubeObject & { readonly spec: { readonly policyName?: string; readonly paramRef?: ParamRef } };

export const bindingColumns: readonly Column<Binding>[] = [
  {
    name: 'PolicyName',
    type: 'string',
    description: 'PolicyName indicates the policy definition which the policy binding binded to',
    cell: ({ spec }) => spec.policyName ?? '',
  },
  {
    name: 'ParamRef',
    type: 'string',
    description: 'ParamRef indicates the param resource which sets the configuration param',
    cell: ({ spec }) => (spec.paramRef === undefined ? unset : showParamRef(spec.paramRef)),
  },
  ageColumn,
];

export const webhookColumns: readonly Column<KubeObject & { readonly webhooks?: readonly unknown[] }>[] = [
  {
    name: 'Webhooks',
    type: 'integer',
    description: 'Webhooks indicates the number of webhooks registered in this configuration',
    cell: ({ webhooks }) => webhooks?.length ?? 0,
  },
  ageColumn,
];

function showParamRef({ name, namespace, selector }: ParamRef): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector === undefined ? unset : showSelector(selector);
}

/** As upstream's generated printer has it. */
function showSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .toSorted()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
