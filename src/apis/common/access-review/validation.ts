// Upstream: k8s.io/kubernetes/pkg/apis/authorization/validation/validation.go
import { append } from '../../../machinery/append.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { LabelSelectorRequirement } from '../../../machinery/label-selector.ts';
import { validateFieldSelectorRequirement, validateLabelSelectorRequirement } from '../../../machinery/label-selector.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
} from '../../../schema/types/authorization-v1.ts';

const specPath = FieldPath.root('spec');
const attributesPath = FieldPath.root('spec', 'resourceAttributes');
const oneOf = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';

/** The access of another user. */
export function validateSubjectAccessReviewSpec(spec: SubjectAccessReviewSpec): FieldError[] {
  const subject =
    spec.user || spec.groups?.length ? [] : [invalid(specPath.child('user'), '', 'at least one of user or group must be specified')];
  return [...validateUnion(spec), ...subject, ...validateResourceAttributes(spec.resourceAttributes)];
}

/** One's own access. */
export function validateSelfSubjectAccessReviewSpec(spec: SelfSubjectAccessReviewSpec): FieldError[] {
  return [...validateUnion(spec), ...validateResourceAttributes(spec.resourceAttributes)];
}

/** Metadata means nothing in a review; only what the server itself put there may be set. */
export function validateEmptyMetadata(metadata: ObjectMeta, allowed: readonly string[], message: string): FieldError[] {
  const filled = Object.entries(metadata).some(([key, value]) => value !== undefined && key !== 'managedFields' && !allowed.includes(key));
  return filled ? [invalid(FieldPath.root('metadata'), metadata, message)] : [];
}

/** Upstream shows these attributes in its internal form, whose fields are capitalized. */
export function internalForm({ path = '', verb = '' }: NonResourceAttributes): { Path: string; Verb: string } {
  return { Path: path, Verb: verb };
}

function validateUnion({ resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec): FieldError[] {
  if ((resourceAttributes === undefined) !== (nonResourceAttributes === undefined)) return [];
  return [invalid(specPath, nonResourceAttributes === undefined ? null : internalForm(nonResourceAttributes), oneOf)];
}

function validateResourceAttributes(attributes: ResourceAttributes | undefined): FieldError[] {
  if (attributes === undefined) return [];
  return [
    ...validateSelector(attributes.fieldSelector, attributesPath.child('fieldSelector'), validateFieldSelectorRequirement),
    ...validateSelector(attributes.labelSelector, attributesPath.child('labelSelector'), validateLabelSelectorRequirement),
  ];
}

function validateSelector(
  selector: FieldSelectorAttributes | LabelSelectorAttributes | undefined,
  path: FieldPath,
  validate: (requirement: LabelSelectorRequirement, path: FieldPath, options: { allowUnknownOperator: boolean }) => FieldError[],
): FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0) {
    errors.push(invalid(path.child('rawSelector'), rawSelector, 'may not specified at the same time as requirements'));
  }
  if (rawSelector === '' && requirements.length === 0) {
    errors.push(required(path.child('requirements'), `when ${path} is specified, requirements or rawSelector is required`));
  }
  // Newer clients may know operators that this server does not.
  requirements.forEach((one, index) =>
    append(errors, validate(one, path.child('requirements').index(index), { allowUnknownOperator: true })),
  );
  return errors;
}
