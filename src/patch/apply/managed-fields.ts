// Upstream: k8s.io/apimachinery/pkg/util/managedfields/internal/{managedfields,buildmanagerinfo}.go
import type { FieldTexts } from '../../machinery/codec/json/field-texts.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { leaf, decodeFieldSet } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { FieldSetError, compareStrings, valueText } from './path-element.ts';

/** metav1.ManagedFieldsEntry, keys in written order. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
  readonly subresource?: string;
}

export type Operation = 'Apply' | 'Update';

/** Who owns which fields, in the words of which version, since when. */
export interface Manager {
  readonly manager: string;
  readonly operation: Operation;
  readonly subresource: string;
  readonly apiVersion: string;
  readonly fields: FieldSet;
  readonly time: string | undefined;
}

/** Managers by identifier; an applier keeps its identifier when it applies in another version. */
export type Managed = Map<string, Manager>;

export function managerIdentifier(manager: Pick<Manager, 'manager' | 'operation' | 'subresource' | 'apiVersion'>): string {
  const name = manager.manager === '' ? '' : `"manager":${valueText(manager.manager)},`;
  const version = manager.operation === 'Apply' ? '' : `,"apiVersion":${valueText(manager.apiVersion)}`;
  const subresource = manager.subresource === '' ? '' : `,"subresource":${valueText(manager.subresource)}`;
  return `{${name}"operation":"${manager.operation}"${version}${subresource}}`;
}

/** An entry that is not valid. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/** Throws ManagedFieldsError where an entry is not valid. `known`: sets that need not be looked at twice. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined, known?: FieldTexts): Managed {
  const managed: Managed = new Map();
  for (const [index, entry] of (entries ?? []).entries()) {
    const manager = decodeEntry(entry, index, known);
    managed.set(managerIdentifier(manager), manager);
  }
  return managed;
}

function decodeEntry(entry: ManagedFieldsEntry, index: number, known: FieldTexts | undefined): Manager {
  const { operation, apiVersion = '', fieldsType = '', manager = '', subresource = '', time } = entry;
  if (operation !== 'Apply' && operation !== 'Update') throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') throw new ManagedFieldsError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  const fields = entry.fieldsV1 === undefined ? leaf : decodeFields(entry.fieldsV1, known);
  return { manager, operation, subresource, apiVersion, fields, time };
}

function decodeFields(fieldsV1: unknown, known: FieldTexts | undefined): FieldSet {
  const facts = known?.about(fieldsV1)?.facts;
  if (facts?.has(decodeFieldSet) === true) return fieldsV1 as FieldSet;
  try {
    const set = decodeFieldSet(fieldsV1);
    if (set === fieldsV1) facts?.add(decodeFieldSet);
    return set;
  } catch (error) {
    if (!(error instanceof FieldSetError || error instanceof SyntaxError)) throw error;
    throw new ManagedFieldsError(`error decoding versioned set: error decoding set: ${error.message}`, { cause: error });
  }
}

/** Undefined for none: an object without managers has no list at all. */
export function encodeManagedFields(managed: Managed): ManagedFieldsEntry[] | undefined {
  if (managed.size === 0) return undefined;
  const managers = [...managed.values()];
  if (managers.length > 1) managers.sort(compareManagers);
  return managers.map(encodeManager);
}

function encodeManager({ manager, operation, apiVersion, time, fields, subresource }: Manager): ManagedFieldsEntry {
  const entry: { -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K] } = {};
  if (manager !== '') entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fields;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** Appliers first, then by age, then by name. */
function compareManagers(left: Manager, right: Manager): number {
  return (
    compareStrings(left.operation, right.operation) ||
    compareTimes(left.time, right.time) ||
    compareStrings(left.manager, right.manager) ||
    compareStrings(left.apiVersion, right.apiVersion) ||
    compareStrings(left.subresource, right.subresource)
  );
}

const epoch = '1970-01-01T00:00:00Z';

/** Canonical times compare as text; none counts as the epoch. */
export function compareTimes(left: string | undefined, right: string | undefined): number {
  return compareStrings(left ?? epoch, right ?? epoch);
}
