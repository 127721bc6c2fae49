// Upstream: k8s.io/apimachinery/pkg/api/validate/{enum,options,subfield}.go, k8s.io/kubernetes/pkg/apis/{core/v1,lifecycle/v1alpha1}/validation.go
import { withoutTrailing } from '../../base/trailing.ts';
import { invalid, notSupported, typedValue } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import { argument, innerMarker } from './marker.ts';
import type { Marker } from './marker.ts';
import { nothing } from './rule.ts';
import type { Check, Path, Rule, RuleContext, RuleFamily, Slot } from './rule.ts';

const reservedResponderPriority = 1000;
const reservedSuffixes = ['.k8s.io', '.kubernetes.io'];

/** Rules that upstream writes by hand for a field and calls among the declared ones. */
const custom: Readonly<Record<string, (value: unknown, path: Path) => readonly FieldError[]>> = {
  'EvictionResponder.name': (value, path) => outsideReservedDomains(value as string, path),
  'EvictionResponder.priority': (value, path) =>
    (value as number) >= 0 && (value as number) < reservedResponderPriority
      ? [invalid(path, value, 'priorities 0-999 are reserved for responders with *.k8s.io suffix')]
      : nothing,
  'EvictionRequestSpec.requester': (value, path) => outsideReservedDomains(value as string, path),
};

export const valueRules: RuleFamily = {
  enum({ level }, { type }) {
    const values = type.kind === 'scalar' ? type.enum : undefined;
    if (values === undefined) throw new Error('enum is for strings with declared values');
    const known = new Set<unknown>(values);
    const check: Check = (_run, path, value) =>
      value === undefined || value === null || known.has(value) ? nothing : [notSupported(path, typedValue(value), values)];
    return [{ level, check }];
  },
  ifEnabled: (marker, slot, context) => conditional(marker, slot, context, true),
  ifDisabled: (marker, slot, context) => conditional(marker, slot, context, false),
  customValidation({ level }, { owner, field }) {
    // An alpha rule that stops nothing has no effect.
    if (level === 'alpha') return [];
    const name = `${owner?.name.slice(owner.name.lastIndexOf('.') + 1)}.${field?.name}`;
    const judge = custom[name];
    if (judge === undefined) throw new Error(`no custom validation of ${name}`);
    return [{ level, check: (_run, path, value) => (value === undefined ? nothing : judge(value, path)) }];
  },
};

function conditional(marker: Marker, slot: Slot, context: RuleContext, enabled: boolean): Rule[] {
  const [, option] = argument(marker.args);
  return context.rules(innerMarker(marker), slot).map((rule) => ({
    ...rule,
    check: (run, path, value, old) => (run.option(option) === enabled ? rule.check(run, path, value, old) : nothing),
  }));
}

function outsideReservedDomains(value: string, path: Path): readonly FieldError[] {
  const domain = withoutTrailing((value.split('/')[0] as string).toLowerCase().trim(), '.');
  if (!reservedSuffixes.some((suffix) => domain.endsWith(suffix) || domain === suffix.slice(1))) return nothing;
  return [invalid(path, value, `domain names ${reservedSuffixes.map((suffix) => `*${suffix}`).join(', ')} are reserved`)];
}
