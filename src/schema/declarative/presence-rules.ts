// Upstream: k8s.io/apimachinery/pkg/api/validate/required.go
import { forbidden, required } from '../../machinery/field.ts';
import type { Marker } from './marker.ts';
import { nothing } from './rule.ts';
import type { Check, Rule, RuleFamily, Slot } from './rule.ts';
import { presence, zeroOf } from './zero.ts';

export const presenceRules: RuleFamily = {
  required: requiredRule,
  optional(marker, slot) {
    const { field } = slot;
    if (field?.default === undefined) return optionalRule(marker, slot);
    // For the server a default has been filled in: what is optional for clients is there by now, unless the default is the zero value.
    return field.default === zeroOf(slot) ? [] : requiredRule(marker, slot);
  },
  forbidden(marker, slot) {
    const isPresent = presence(slot);
    if (isPresent === undefined) return [];
    const check: Check = (_run, path, value) => (isPresent(value) ? [forbidden(path, '')] : nothing);
    return [{ level: marker.level, stops: true, check }, ...optionalRule(marker, slot)];
  },
};

function requiredRule({ level }: Marker, slot: Slot): Rule[] {
  const isPresent = presence(slot);
  if (isPresent === undefined) return [];
  return [{ level, stops: true, check: (_run, path, value) => (isPresent(value) ? nothing : [required(path, '')]) }];
}

function optionalRule({ level }: Marker, slot: Slot): Rule[] {
  const isPresent = presence(slot);
  if (isPresent === undefined) return [];
  const detail = 'optional value was not specified';
  return [{ level, stops: true, silent: true, check: (_run, path, value) => (isPresent(value) ? nothing : [required(path, detail)]) }];
}
