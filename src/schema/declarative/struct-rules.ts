// Upstream: k8s.io/apimachinery/pkg/api/validate/{union,zeroorone,discriminator,dependentrequired}.go
import { forbidden, invalid, required } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import { unchanged } from './change-rules.ts';
import { argument, innerMarker } from './marker.ts';
import type { Level, Marker } from './marker.ts';
import { child, nothing, sequence } from './rule.ts';
import type { Check, Path, Rule, RuleContext, Slot } from './rule.ts';
import { presence, zeroOf } from './zero.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A field of a struct with its markers. */
export interface Member {
  readonly name: string;
  readonly slot: Slot;
  readonly markers: readonly Marker[];
}

/** Markers of fields that speak of the struct. */
export const structMarkers: ReadonlySet<string> = new Set([
  'unionMember',
  'zeroOrOneOfMember',
  'modeDiscriminator',
  'ifMode',
  'dependentRequired',
  'dependentForbidden',
]);

/** Rules about several fields of a struct; they come before those of the fields. */
export function structRules(members: readonly Member[], context: RuleContext): readonly Rule[] {
  return [...dependencies(members), ...modes(members, context), ...unions(members)];
}

interface Choice {
  readonly name: string;
  readonly isSet: (value: unknown) => boolean;
}

function unions(members: readonly Member[]): Rule[] {
  return ['unionMember', 'zeroOrOneOfMember'].flatMap((name) => {
    const found = members.flatMap((member) => {
      const marker = member.markers.find((one) => one.name === name);
      return marker === undefined ? [] : [{ member, level: marker.level }];
    });
    if (found[0] === undefined) return [];
    const choices = found.map(({ member }) => ({ name: member.name, isSet: (object: unknown) => isSet(member, object as JsonObject) }));
    return [{ level: found[0].level, check: choiceCheck(choices, name === 'unionMember') }];
  });
}

/** One of the choices, or at most one. What was chosen before may stay. */
function choiceCheck(choices: readonly Choice[], exactly: boolean): Check {
  const all = choices.map(({ name }) => `\`${name}\``).join(', ');
  const origin = exactly ? 'union' : 'zeroOrOneOf';
  return (run, path, value, old) => {
    const chosen = choices.filter(({ isSet: wanted }) => wanted(value));
    if (run.update && old !== undefined && choices.every(({ isSet: wanted }) => wanted(value) === wanted(old))) return nothing;
    if (chosen.length > 1) {
      const names = `{${chosen.map(({ name }) => name).join(', ')}}`;
      return [invalid(path, names, `must specify ${exactly ? 'exactly' : 'at most'} one of: ${all}`).withOrigin(origin)];
    }
    return exactly && chosen.length === 0 ? [invalid(path, '', `must specify one of: ${all}`).withOrigin(origin)] : nothing;
  };
}

/** `item(type: "Approved")=zeroOrOneOfMember`: elements of a list that exclude each other. */
export function itemChoice(list: string, markers: readonly Marker[]): Rule {
  const choices = markers.map(({ args }) => {
    const [key, wanted] = argument(args);
    const name = `${list}[{"${key}": "${wanted}"}]`;
    return { name, isSet: (items: unknown) => ((items ?? []) as readonly JsonObject[]).some((item) => item[key] === wanted) };
  });
  return { level: (markers[0] as Marker).level, check: choiceCheck(choices, false) };
}

/** A field that only some modes allow: `ifMode("Queue")=required` */
function modes(members: readonly Member[], context: RuleContext): Rule[] {
  const discriminator = members.find(({ markers }) => markers.some(({ name }) => name === 'modeDiscriminator'));
  if (discriminator === undefined) return [];
  const moded = members.filter(({ markers }) => markers.some(({ name }) => name === 'ifMode'));
  return moded
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((member) => {
      const markers = member.markers.filter(({ name }) => name === 'ifMode');
      const byMode = Map.groupBy(markers, ({ args }) => argument(args)[1]);
      const checks = new Map(
        [...byMode].map(([mode, some]) => [mode, sequence(some.flatMap((one) => context.rules(innerMarker(one), member.slot)))]),
      );
      const otherwise = forbiddenAt((markers[0] as Marker).level, member.slot);
      return { level: 'stable', check: modeCheck(discriminator, member, checks, otherwise) };
    });
}

function modeCheck(discriminator: Member, member: Member, checks: ReadonlyMap<string, Check>, otherwise: Check): Check {
  const isUnchanged = unchanged(member.slot);
  return (run, path, value, old) => {
    const [now, before] = [value as JsonObject, old as JsonObject | undefined];
    const mode = read(discriminator, now);
    const [field, oldField] = [read(member, now), before && read(member, before)];
    if (run.update && before !== undefined && mode === read(discriminator, before) && isUnchanged(field, oldField)) return nothing;
    return (checks.get(mode as string) ?? otherwise)(run, child(path, member.name), field, oldField);
  };
}

function forbiddenAt(level: Level, slot: Slot): Check {
  const isPresent = presence(slot) ?? ((): boolean => true);
  return sequence([{ level, check: (_run, path, value) => (isPresent(value) ? [forbidden(path, '')] : nothing) }]);
}

type Complaint = (path: Path, trigger: string) => FieldError;

const dependencyKinds: Readonly<Record<string, { readonly wanted: boolean; readonly complain: Complaint }>> = {
  dependentRequired: {
    wanted: true,
    complain: (path, trigger) => required(path, `must be set when ${trigger} is set`).withOrigin('dependentRequired'),
  },
  dependentForbidden: {
    wanted: false,
    complain: (path, trigger) => forbidden(path, `may not be set when ${trigger} is set`).withOrigin('dependentForbidden'),
  },
};

/** A field that needs or excludes another. */
function dependencies(members: readonly Member[]): Rule[] {
  return members.flatMap((trigger) =>
    trigger.markers.flatMap(({ name, args, level }) => {
      const kind = dependencyKinds[name];
      if (kind === undefined) return [];
      const dependent = members.find((member) => member.name === argument(args)[1]);
      if (dependent === undefined) throw new Error(`${trigger.name} depends on an unknown field: ${args}`);
      const check: Check = (run, path, value, old) => {
        const state = (object: unknown): readonly boolean[] => [trigger, dependent].map((member) => isSet(member, object as JsonObject));
        const [triggered, present] = state(value);
        if (!triggered || present === kind.wanted) return nothing;
        if (run.update && old !== undefined && String(state(old)) === String([triggered, present])) return nothing;
        return [kind.complain(child(path, dependent.name), trigger.name)];
      };
      return [{ level, check }];
    }),
  );
}

function isSet({ name, slot }: Member, object: JsonObject): boolean {
  return presence(slot)?.(object[name]) ?? true;
}

function read({ name, slot }: Member, object: JsonObject): unknown {
  return object[name] ?? zeroOf(slot);
}
