// Upstream: k8s.io/apimachinery/pkg/labels/labels.go#ConvertSelectorToLabelsMap, #Conflicts
import { invalid } from '../../machinery/field.ts';
import type { Labels } from '../../machinery/labels.ts';
import { checkLabelValue, checkQualifiedName } from '../../machinery/names.ts';

/** `env=dev,tier=a`; throws when it is something else. */
export function readNodeLabels(selector: string): Labels {
  if (selector === '') return {};
  return Object.fromEntries(
    selector.split(',').map((label) => {
      const parts = label.split('=');
      if (parts.length !== 2) throw new Error(`invalid selector: [${parts.join(' ')}]`);
      const [key, value] = parts.map((part) => part.trim()) as [string, string];
      const keyProblems = checkQualifiedName(key);
      if (keyProblems.length > 0) throw new Error(String(invalid(undefined, key, keyProblems.join('; '))));
      const valueProblems = checkLabelValue(value);
      if (valueProblems.length > 0) throw new Error(String(invalid(`[${key}]`, value, valueProblems.join('; '))));
      return [key, value];
    }),
  );
}

export function conflict(left: Labels, right: Labels): boolean {
  return Object.entries(left).some(([key, value]) => Object.hasOwn(right, key) && right[key] !== value);
}

/** Whether all labels are on the list; an empty list has everything. */
export function areListed(labels: Labels, list: Labels): boolean {
  return Object.keys(list).length === 0 || Object.entries(labels).every(([key, value]) => Object.hasOwn(list, key) && list[key] === value);
}
