// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/status/naming_controller.go
// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/establish/establishing_controller.go
import { deepEqual, semanticDeepEqual } from '../../machinery/deep-equal.ts';
import { aggregateMessages } from '../../machinery/field.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { CustomResourceDefinitionNames as Names } from '../../schema/types/apiextensions-v1.ts';
import type { CustomResourceDefinition, StatedCondition } from '../conditions/conditions.ts';
import { caBundleProblem } from '../conditions/ca-bundle.ts';
import { findCondition, isConditionTrue, isSameCondition, setCondition } from '../conditions/conditions.ts';

/** Names that definitions of a group have; resources and kinds are separate. */
interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Accepts the names that no other definition of the group has, and says so in the status; in place. Returns whether anything changed. */
export function acceptNames(definition: CustomResourceDefinition, sameGroup: Iterable<CustomResourceDefinition>, now: string): boolean {
  const { spec, status } = definition;
  if (semanticDeepEqual(spec.names, status.acceptedNames)) return false;
  const { names, conflict } = acceptedNames(spec.names, status.acceptedNames, usedNames(sameGroup));
  const accepted: StatedCondition = conflict ?? {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  const found = findCondition(definition, 'NamesAccepted');
  if (deepEqual(status.acceptedNames, names) && isSameCondition(accepted, found)) return false;
  status.acceptedNames = names;
  setCondition(definition, accepted, now);
  if (!isConditionTrue(definition, 'Established') && accepted.status !== 'True') {
    const message = 'not all names are accepted';
    if (findCondition(definition, 'Established') === undefined)
      setCondition(definition, { type: 'Established', status: 'False', reason: 'NotAccepted', message }, now);
  }
  return true;
}

/**
 * A definition whose names are accepted is served from then on, unless no server can be trusted to convert its objects; in place. Returns
 * whether anything changed.
 */
export function establish(definition: CustomResourceDefinition, now: string): boolean {
  if (!isConditionTrue(definition, 'NamesAccepted') || isConditionTrue(definition, 'Established')) return false;
  const isTrusting = caBundleProblem(definition.spec.conversion?.webhook?.clientConfig?.caBundle) === undefined;
  const stated: StatedCondition = isTrusting
    ? { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
    : { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' };
  if (isSameCondition(stated, findCondition(definition, 'Established'))) return false;
  setCondition(definition, stated, now);
  return true;
}

function usedNames(sameGroup: Iterable<CustomResourceDefinition>): UsedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of sameGroup) {
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames;
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    kinds.add(kind).add(listKind);
  }
  return { resources, kinds };
}

/** Each name on its own; the reason of the last conflict is the one in the condition. */
function acceptedNames(requested: Names, accepted: Names, used: UsedNames): { names: Names; conflict: StatedCondition | undefined } {
  let conflict: StatedCondition | undefined;
  const refuse = (reason: string, message: string): void => {
    conflict = { type: 'NamesAccepted', status: 'False', reason, message };
  };
  const decide = (wanted: string | undefined, has: string | undefined, taken: ReadonlySet<string>, reason: string): string | undefined => {
    if ((wanted ?? '') === (has ?? '') || !taken.has(wanted ?? '')) return wanted;
    refuse(reason, inUse(wanted ?? ''));
    return has;
  };
  const plural = decide(requested.plural, accepted.plural, used.resources, 'PluralConflict') ?? '';
  const singular = decide(requested.singular, accepted.singular, used.resources, 'SingularConflict');
  let shortNames = accepted.shortNames;
  if (!deepEqual(requested.shortNames, accepted.shortNames)) {
    const taken = (requested.shortNames ?? []).filter((name) => !accepted.shortNames?.includes(name) && used.resources.has(name));
    if (taken.length > 0) refuse('ShortNamesConflict', aggregateMessages(taken.map(inUse)));
    else shortNames = requested.shortNames;
  }
  const kind = decide(requested.kind, accepted.kind, used.kinds, 'KindConflict') ?? '';
  const listKind = decide(requested.listKind, accepted.listKind, used.kinds, 'ListKindConflict');
  const names: Names = {
    plural,
    ...(singular && { singular }),
    ...(shortNames !== undefined && { shortNames }),
    kind,
    ...(listKind && { listKind }),
    ...(requested.categories !== undefined && { categories: requested.categories }),
  };
  return { names, conflict };
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}
