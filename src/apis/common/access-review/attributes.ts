// Upstream: k8s.io/kubernetes/pkg/registry/authorization/util/helpers.go
import { LabelSelectorError, requirement } from '../../../machinery/labels.ts';
import type { LabelOperator } from '../../../machinery/labels.ts';
import { parseLabelSelector } from '../../../machinery/label-parser.ts';
import { FieldSelectorError, escapeFieldValue, parseFieldSelector } from '../../../machinery/fields.ts';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReviewSpec,
} from '../../../schema/types/authorization-v1.ts';
import type { UserInfo } from '../../../server/request/user.ts';
import type { Attributes } from '../../../server/request/authorizer.ts';

/** What a review asks the authorizer, and which of its selectors could not be read. */
export interface Question {
  readonly attributes: Attributes;
  readonly problems: readonly string[];
}

/** A selector in the form of a query parameter; what cannot be read is left out, which asks for more, never for less. */
interface SelectorText {
  readonly text: string | undefined;
  readonly failed: boolean;
}

const labelOperators: Readonly<Record<string, LabelOperator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };

export function questionOf(user: UserInfo, spec: SelfSubjectAccessReviewSpec): Question {
  if (spec.resourceAttributes === undefined) {
    return { attributes: nonResource(user, spec.nonResourceAttributes ?? {}), problems: [] };
  }
  const { fieldSelector, labelSelector, ...asked } = spec.resourceAttributes;
  const fields = fieldSelectorText(fieldSelector);
  const labels = labelSelectorText(labelSelector);
  const attributes: Attributes = {
    ...resource(user, asked),
    ...(fields.text !== undefined && { fieldSelector: fields.text }),
    ...(labels.text !== undefined && { labelSelector: labels.text }),
  };
  return { attributes, problems: [...problem('fieldSelector', fields), ...problem('labelSelector', labels)] };
}

function resource(user: UserInfo, asked: ResourceAttributes): Attributes {
  return {
    user,
    verb: asked.verb ?? '',
    isResource: true,
    path: '',
    group: asked.group ?? '',
    version: asked.version || '*',
    namespace: asked.namespace ?? '',
    resource: asked.resource ?? '',
    subresource: asked.subresource ?? '',
    name: asked.name ?? '',
  };
}

function nonResource(user: UserInfo, { path = '', verb = '' }: NonResourceAttributes): Attributes {
  return { user, verb, isResource: false, path, group: '', version: '', namespace: '', resource: '', subresource: '', name: '' };
}

function problem(selector: string, { text, failed }: SelectorText): string[] {
  if (!failed) return [];
  return [`spec.resourceAttributes.${selector} ${text === undefined ? 'ignored' : 'partially ignored'} due to parse error`];
}

function fieldSelectorText(selector: FieldSelectorAttributes | undefined): SelectorText {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  if (requirements.length === 0) return rawText(rawSelector, (text) => parseFieldSelector(text).toString());
  const signs: Readonly<Record<string, string>> = { In: '=', NotIn: '!=' };
  const readable = requirements.flatMap(({ key, operator, values = [] }) => {
    const sign = signs[operator];
    return sign === undefined || values.length !== 1 ? [] : [`${key}${sign}${escapeFieldValue(values[0] as string)}`];
  });
  return joined(readable, requirements.length);
}

function labelSelectorText(selector: LabelSelectorAttributes | undefined): SelectorText {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  if (requirements.length === 0) return rawText(rawSelector, (text) => parseLabelSelector(text).toString());
  const readable = requirements.flatMap(({ key, operator, values = [] }) => {
    const known = labelOperators[operator];
    if (known === undefined) return [];
    return attempt(() => requirement(key, known, values).toString());
  });
  return joined(readable, requirements.length);
}

function joined(readable: readonly string[], asked: number): SelectorText {
  return { text: readable.length === 0 ? undefined : readable.join(','), failed: readable.length < asked };
}

function rawText(text: string, parse: (text: string) => string): SelectorText {
  if (text === '') return { text: undefined, failed: false };
  const [parsed] = attempt(() => parse(text));
  return { text: parsed, failed: parsed === undefined };
}

function attempt(read: () => string): string[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof LabelSelectorError || error instanceof FieldSelectorError) return [];
    throw error;
  }
}
