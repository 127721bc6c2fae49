// Upstream: k8s.io/apiserver/plugin/pkg/authorizer/webhook/webhook.go#resourceAttributesFrom
// And what it calls.
import { FieldSelectorError, parseFieldSelector } from '../../../../machinery/fields.ts';
import { parseLabelSelector } from '../../../../machinery/label-parser.ts';
import type { LabelOperator } from '../../../../machinery/labels.ts';
import { LabelSelectorError } from '../../../../machinery/labels.ts';
import type { ResourceAttributes, SubjectAccessReviewSpec } from '../../../../schema/types/authorization-v1.ts';
import type { Attributes } from '../../../request/authorizer.ts';

interface SelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/** Comparisons by number have no name in reviews: without them a review asks for more, never for less. */
const labelOperators: Readonly<Partial<Record<LabelOperator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** The question as a webhook is asked; members are in upstream's order. */
export function accessReviewSpec(attributes: Attributes): SubjectAccessReviewSpec {
  const { user, isResource, path, verb } = attributes;
  return {
    ...(isResource ? { resourceAttributes: resourceAttributes(attributes) } : { nonResourceAttributes: present({ path, verb }) }),
    ...present({ user: user.name }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(Object.keys(user.extra).length > 0 && { extra: user.extra as Record<string, string[]> }),
    ...present({ uid: user.uid }),
  };
}

function resourceAttributes(attributes: Attributes): ResourceAttributes {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const fields = fieldRequirements(attributes.fieldSelector ?? '');
  const labels = labelRequirements(attributes.labelSelector ?? '');
  return {
    ...present({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
  };
}

function fieldRequirements(text: string): SelectorRequirement[] {
  return readable(() =>
    parseFieldSelector(text).terms.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    })),
  );
}

function labelRequirements(text: string): SelectorRequirement[] {
  return readable(() =>
    parseLabelSelector(text).requirements.flatMap(({ key, operator, values }) => {
      const name = labelOperators[operator];
      return name === undefined ? [] : [{ key, operator: name, ...(values.length > 0 && { values: [...values] }) }];
    }),
  );
}

/** A selector that cannot be read does not narrow. */
function readable(read: () => SelectorRequirement[]): SelectorRequirement[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof LabelSelectorError || error instanceof FieldSelectorError) return [];
    throw error;
  }
}

function present<T extends Readonly<Record<string, string>>>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '')) as Partial<T>;
}
