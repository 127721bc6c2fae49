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

/** The reserved key cannot be combined with other conditions. */
function stripReservedKey({ spec }: Budget, old: Budget | undefined): void {
  const { selector } = spec;
  if (selector?.matchExpressions === undefined) return;
  if (old !== undefined && semanticDeepEqual(old.spec.selector, selector)) return;
  if (semanticDeepEqual(selector, matchNone)) return;
  selector.matchExpressions = selector.matchExpressions.filter(({ key }) => key !== emptySelectorKey);
  if (selector.matchExpressions.length === 0) delete selector.matchExpressions;
}
