// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/events.go
import { append } from '../../../machinery/append.ts';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { LiteralValue, FieldPath, invalid, required, typedValue } from '../../../machinery/field.ts';
import { isLongerThan, checkQualifiedName } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { Event, EventSource, ObjectReference } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateKubeFinalizers, validateMetadata } from '../../../server/registry/rules.ts';

export type EventObject = Event & KubeObject;

const nameMaxBytes = 128;
const noteMaxBytes = 1024;
const involvedNamespace = FieldPath.root('involvedObject', 'namespace');

/** What has always been asked of events; `reportingField` is what the version of the request calls reportingComponent. */
export function validateEvent(event: EventObject, reportingField: 'reportingComponent' | 'reportingController'): FieldError[] {
  return event.eventTime === null ? validateOldStyle(event) : validateNewStyle(event, reportingField);
}

function validateOldStyle({ metadata, involvedObject }: EventObject): FieldError[] {
  const { namespace = '' } = metadata;
  const involved = involvedObject.namespace ?? '';
  const agrees = involved === '' ? namespace === '' || namespace === 'default' : namespace === involved;
  return agrees ? [] : [mismatch(involved)];
}

/** Only new-style events have an eventTime. */
function validateNewStyle(event: EventObject, reportingField: string): FieldError[] {
  const { metadata, involvedObject, reportingComponent, reportingInstance, action = '', reason = '', message = '' } = event;
  const errors: FieldError[] = [];
  if (!involvedObject.namespace && metadata.namespace !== 'default' && metadata.namespace !== 'kube-system') errors.push(mismatch(''));
  const reportingPath = FieldPath.root(reportingField);
  if (reportingComponent === '') errors.push(required(reportingPath, ''));
  append(
    errors,
    checkQualifiedName(reportingComponent).map((problem) => invalid(reportingPath, reportingComponent, problem)),
  );
  append(
    errors,
    validateText('reportingInstance', reportingInstance, nameMaxBytes),
    validateText('action', action, nameMaxBytes),
    validateText('reason', reason, nameMaxBytes),
  );
  if (isLongerThan(message, noteMaxBytes)) errors.push(tooManyCharacters('message', noteMaxBytes));
  return errors;
}

function validateText(field: string, text: string, maxBytes: number): FieldError[] {
  if (text === '') return [required(FieldPath.root(field), '')];
  return isLongerThan(text, maxBytes) ? [tooManyCharacters(field, maxBytes)] : [];
}

function tooManyCharacters(field: string, max: number): FieldError {
  return invalid(FieldPath.root(field), '', `can have at most ${max} characters`);
}

function mismatch(namespace: string): FieldError {
  return invalid(involvedNamespace, namespace, 'does not match event.namespace');
}

/** events.k8s.io/v1 takes new-style events only. */
export function validateStrictCreate(event: EventObject): FieldError[] {
  const errors = [...validateEvent(event, 'reportingController'), ...validateMetadata(event.metadata, true), ...validateSeries(event)];
  const unset = (field: string): FieldError => invalid(FieldPath.root(field), '', 'needs to be unset');
  const { type = '', source } = event;
  if (event.eventTime === null) errors.push(required(FieldPath.root('eventTime'), ''));
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalid(FieldPath.root('type'), '', `has invalid value: ${type}`));
  if (event.firstTimestamp !== null) errors.push(unset('firstTimestamp'));
  if (event.lastTimestamp !== null) errors.push(unset('lastTimestamp'));
  if (event.count) errors.push(unset('count'));
  if (source.component || source.host) errors.push(unset('source'));
  return errors;
}

/** Only the series of an event goes on. */
export function validateStrictUpdate(event: EventObject, old: EventObject): FieldError[] {
  const errors = [...validateEvent(event, 'reportingController'), ...validateKubeFinalizers(event.metadata)];
  if (!deepEqual(event.series, old.series)) append(errors, validateSeries(event));
  for (const [field, read] of fixedFields) {
    const value = read(event);
    if (!deepEqual(asCompared(value), asCompared(read(old)))) errors.push(invalid(FieldPath.root(field), value, fieldImmutableMessage));
  }
  return errors;
}

/** What is shown as it is has no fields to be compared by. */
const asCompared = (value: unknown): unknown => (value instanceof LiteralValue ? value.text : value);

/** Fields in the order in which they are complained about, with the value as the complaint shows it. */
const fixedFields: readonly (readonly [string, (event: EventObject) => unknown])[] = [
  ['involvedObject', ({ involvedObject }) => internalReference(involvedObject)],
  ['reason', ({ reason }) => reason ?? ''],
  ['message', ({ message }) => message ?? ''],
  ['source', ({ source }) => internalSource(source)],
  ['firstTimestamp', ({ firstTimestamp }) => typedValue(firstTimestamp)],
  ['lastTimestamp', ({ lastTimestamp }) => typedValue(lastTimestamp)],
  ['count', ({ count }) => count ?? 0],
  ['type', ({ type }) => type ?? ''],
  ['eventTime', ({ eventTime }) => typedValue(eventTime)],
  ['action', ({ action }) => action ?? ''],
  ['related', ({ related }) => (related === undefined ? null : internalReference(related))],
  ['reportingController', ({ reportingComponent }) => reportingComponent],
  ['reportingInstance', ({ reportingInstance }) => reportingInstance],
];

/** Upstream shows its internal structs here, which have no JSON names. */
function internalReference(reference: ObjectReference): unknown {
  const { kind = '', namespace = '', name = '', uid = '', apiVersion = '', resourceVersion = '', fieldPath = '' } = reference;
  return {
    Kind: kind,
    Namespace: namespace,
    Name: name,
    UID: uid,
    APIVersion: apiVersion,
    ResourceVersion: resourceVersion,
    FieldPath: fieldPath,
  };
}

function internalSource({ component = '', host = '' }: EventSource): unknown {
  return { Component: component, Host: host };
}

function validateSeries({ series }: EventObject): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (series.lastObservedTime === null || series.lastObservedTime === undefined) errors.push(required('series.lastObservedTime', ''));
  return errors;
}
