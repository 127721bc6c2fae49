// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go
import { stringify, writeSorted } from '../../../machinery/codec/json/write.ts';
import { isDistinct } from '../../../machinery/go-distinctions.ts';
import { escapeForHtml } from '../../../machinery/html-escape.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { LiteralValue, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { LabelSelector } from '../../../machinery/label-selector.ts';
import { selectorOf, validateLabelSelector } from '../../../machinery/label-selector.ts';
import type { Selector } from '../../../machinery/labels.ts';
import { LabelSelectorError } from '../../../machinery/labels.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { PodTemplateSpec } from '../../../schema/types/core-v1.ts';

/** The selector, or undefined when it cannot be read. */
export function readSelector(selector: LabelSelector | null | undefined): Selector | undefined {
  try {
    return selectorOf(selector ?? undefined);
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined;
    throw error;
  }
}

/** As scale shows it. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  return selector ? (readSelector(selector)?.toString() ?? '') : '';
}

/** Maps are shown with their keys in order, also those that come first in every JavaScript object: they look like integers. */
export function shownLabels(labels: Readonly<Record<string, string>> | undefined): LiteralValue | undefined {
  return labels && new LiteralValue(escapeForHtml(writeSorted(labels)));
}

export function shownSelector(selector: LabelSelector | null | undefined): LiteralValue | null {
  if (!selector) return null;
  const { matchLabels, ...rest } = selector;
  const members = [matchLabels && `"matchLabels":${writeSorted(matchLabels)}`, stringify(rest).slice(1, -1)];
  return new LiteralValue(escapeForHtml(`{${members.filter(Boolean).join(',')}}`));
}

export function validateSelectorUnchanged(
  selector: LabelSelector | null | undefined,
  old: LabelSelector | null | undefined,
  path: FieldPath,
): FieldError[] {
  return semanticDeepEqual(old, selector) ? [] : [invalid(path, shownSelector(selector), fieldImmutableMessage)];
}

export function isEmptySelector({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && !matchExpressions?.length;
}

/** A selector that must be there and select something. */
export function validateRequiredSelector(selector: LabelSelector | null | undefined, path: FieldPath, kind: string): FieldError[] {
  if (!selector) return [required(path, '')];
  const errors = validateLabelSelector(selector, path);
  return isEmptySelector(selector) ? [...errors, invalid(path, shownSelector(selector), `empty selector is invalid for ${kind}`)] : errors;
}

/** The template's pods must be those that the selector finds. */
export function validateSelectorMatches(selector: Selector, template: PodTemplateSpec, path: FieldPath): FieldError[] {
  const { metadata = {} } = template;
  const { labels = isDistinct(metadata, 'labels') ? {} : undefined } = metadata;
  if (selector.matches(labels ?? {})) return [];
  return [invalid(path.child('metadata', 'labels'), shownLabels(labels), '`selector` does not match template `labels`')];
}

/** Pods of a controller run until it decides otherwise. */
export function validateEndlessPods({ spec }: PodTemplateSpec, path: FieldPath, kind: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.restartPolicy !== 'Always') {
    errors.push(notSupported(path.child('spec', 'restartPolicy'), typedValue(spec.restartPolicy ?? ''), ['Always']));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    errors.push(forbidden(path.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`));
  }
  return errors;
}
