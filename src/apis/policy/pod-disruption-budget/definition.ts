// Upstream: k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget/strategy.go
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { PodDisruptionBudget } from '../../../schema/types/policy-v1.ts';
import type { LabelSelector } from '../../../schema/types/meta-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { validate, validateStatusUpdate, validateUpdate } from './validation.ts';

type Budget = PodDisruptionBudget & KubeObject;

/** In v1beta1 an empty selector selected nothing; this key stood for what could not be said otherwise. */
const emptySelectorKey = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
const matchNone: LabelSelector = { matchExpressions: [{ key: emptySelectorKey, operator: 'Exists' }] };
const matchAll: LabelSelector = { matchExpressions: [{ key: emptySelectorKey, operator: 'DoesNotExist' }] };

export const podDisruptionBudgets = defineResource<Budget>({
  group: 'policy',
  plural: 'poddisruptionbudgets',
  strategy: {
    generation: true,
    allowUnconditionalUpdate: false,
    skipsMetadataValidation: true,
    prepareForCreate: (budget) => stripReservedKey(budget, undefined),
    prepareForUpdate: stripReservedKey,
    validate,
    validateUpdate,
  },
  status: { validateUpdate: validateStatusUpdate },
  // No longer served, but a store may still have it.
  conversions: { 'policy/v1beta1': { toStorage: fromBeta, fromStorage: (budget) => budget } },
  columns: [
    {
      name: 'Min Available',
      type: 'string',
      description: 'The minimum number of pods that must be available.',
      cell: ({ spec }) => String(spec.minAvailable ?? 'N/A'),
    },
    {
      name: 'Max Unavailable',
      type: 'string',
      description: 'The maximum number of pods that may be unavailable.',
      cell: ({ spec }) => String(spec.maxUnavailable ?? 'N/A'),
    },
    {
      name: 'Allowed Disruptions',
      type: 'integer',
      description: 'Calculated number of pods that may be disrupted at this time.',
      cell: ({ status }) => status.disruptionsAllowed,
    },
    ageColumn,
  ],
});

/** What was stored as v1beta1 selects what it selected there. */
function fromBeta(object: KubeObject): Budget {
  const budget = object as Budget;
  const { spec } = budget;
  if (spec.selector && semanticDeepEqual(spec.selector, {})) spec.selector = structuredClone(matchNone);
  else if (semanticDeepEqual(spec.selector, matchAll)) spec.selector = {};
  else withoutReservedKey(spec.selector);
  return budget;
}

/** The reserved key cannot be combined with other conditions. */
function stripReservedKey({ spec: { selector } }: Budget, old: Budget | undefined): void {
  if (old !== undefined && semanticDeepEqual(old.spec.selector, selector)) return;
  if (!semanticDeepEqual(selector, matchNone)) withoutReservedKey(selector);
}

function withoutReservedKey(selector: LabelSelector | null | undefined): void {
  if (!selector?.matchExpressions) return;
  selector.matchExpressions = selector.matchExpressions.filter(({ key }) => key !== emptySelectorKey);
  if (selector.matchExpressions.length === 0) delete selector.matchExpressions;
}
