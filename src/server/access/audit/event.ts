// Upstream: k8s.io/apiserver/pkg/apis/audit/v1/types.go, k8s.io/apiserver/pkg/audit/format.go
import type { Steps } from '../../../base/steps.ts';
import { withoutTrailing } from '../../../base/trailing.ts';
import { escapeForHtml } from '../../../machinery/html-escape.ts';
import type { Status } from '../../../machinery/errors.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { AuthenticationMetadata, ObjectReference } from '../../../schema/types/audit-v1.ts';
import type { UserInfo } from '../../request/user.ts';
import type { Level, Stage } from './level.ts';

/** What is recorded about one stage of one request. Objects are JSON texts: they are recorded as they were, not as we would write them. */
export interface AuditEvent {
  readonly level: Level;
  readonly auditID: string;
  readonly stage: Stage;
  readonly requestURI: string;
  readonly verb: string;
  /** undefined: no user was authenticated */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser?: UserInfo | undefined;
  readonly authenticationMetadata?: AuthenticationMetadata | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef?: ObjectReference | undefined;
  readonly responseStatus?: Partial<Status> | undefined;
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** One line of the log. */
export function eventLine(event: AuditEvent): string {
  return `{"kind":"Event","apiVersion":"audit.k8s.io/v1",${fieldsOf(event)}}\n`;
}

/** `eventLine` as bytes, for events with large objects. */
export function* eventLineBytes(event: AuditEvent): Steps<Buffer> {
  return yield* bytesOf(['{"kind":"Event","apiVersion":"audit.k8s.io/v1",', ...partsOf(event), '}\n']);
}

export function* eventListBytes(events: readonly AuditEvent[]): Steps<Buffer> {
  const items = events.flatMap((event, index) => [index === 0 ? '{' : ',{', ...partsOf(event), '}']);
  return yield* bytesOf(['{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[', ...items, ']}\n']);
}

const charactersInStep = 256 * 1024;

function* bytesOf(parts: readonly string[]): Steps<Buffer> {
  const bytes: Buffer[] = [];
  for (const part of parts) {
    for (let at = 0; at < part.length;) {
      let end = at + charactersInStep;
      // both halves of a surrogate pair, or none
      if ((part.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
      bytes.push(Buffer.from(escapeForHtml(part.slice(at, end))));
      at = end;
      if (at < part.length) yield;
    }
    yield;
  }
  return Buffer.concat(bytes);
}

/** Characters of its objects, which are what makes an event large. */
export function objectLength({ requestObject = '', responseObject = '' }: AuditEvent): number {
  return requestObject.length + responseObject.length;
}

function fieldsOf(event: AuditEvent): string {
  return escapeForHtml(partsOf(event).join(''));
}

function partsOf(event: AuditEvent): readonly string[] {
  const { user, impersonatedUser, sourceIPs, userAgent, objectRef, requestObject, responseObject, annotations } = event;
  const before = {
    level: event.level,
    auditID: event.auditID,
    stage: event.stage,
    requestURI: event.requestURI,
    verb: event.verb,
    user: user === undefined ? {} : shownUser(user),
    ...(impersonatedUser !== undefined && { impersonatedUser: shownUser(impersonatedUser) }),
    authenticationMetadata: event.authenticationMetadata,
    ...(sourceIPs.length > 0 && { sourceIPs }),
    ...(userAgent !== '' && { userAgent }),
    ...(objectRef !== undefined && { objectRef: shownReference(objectRef) }),
    ...(event.responseStatus !== undefined && { responseStatus: shownStatus(event.responseStatus) }),
  };
  const after = {
    requestReceivedTimestamp: event.requestReceivedTimestamp,
    stageTimestamp: event.stageTimestamp,
    ...(annotations !== undefined && { annotations: sorted(annotations) }),
  };
  const raw = (name: string, text: string | undefined): string[] => (text === undefined ? [] : [`"${name}":`, text, ',']);
  const inner = (fields: object): string => JSON.stringify(fields).slice(1, -1);
  return [`${inner(before)},`, ...raw('requestObject', requestObject), ...raw('responseObject', responseObject), inner(after)];
}

function shownUser({ name, uid, groups, extra }: UserInfo): object {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra: sorted(extra) }),
  };
}

function shownReference(reference: ObjectReference): object {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  const fields = { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

function shownStatus({ status, message, reason, details, code }: Partial<Status>): object {
  return {
    metadata: {},
    ...(status && { status }),
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details !== undefined && { details }),
    ...(code && { code }),
  };
}

function sorted<T>(map: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The form that logs had before there were levels and objects. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus } = event;
  const list = (values: readonly string[]): string => values.map(goQuote).join(',');
  const hasName = user !== undefined && user.name !== '';
  const shown = {
    id: event.auditID,
    stage: event.stage,
    ip: event.sourceIPs[0] ?? '<unknown>',
    method: event.verb,
    user: hasName ? user.name : '<none>',
    groups: hasName && user.groups.length > 0 ? list(user.groups) : '<none>',
    as: impersonatedUser?.name ?? '<self>',
    asgroups: impersonatedUser === undefined ? '<lookup>' : list(impersonatedUser.groups),
    'user-agent': event.userAgent,
    namespace: objectRef?.namespace || '<none>',
    uri: event.requestURI,
  };
  const response = responseStatus === undefined ? '<deferred>' : String(responseStatus.code ?? 0);
  const pairs = Object.entries(shown).map(([name, value]) => `${name}=${goQuote(value)}`);
  return `${shortTime(event.requestReceivedTimestamp)} AUDIT: ${pairs.join(' ')} response="${response}"\n`;
}

/** RFC 3339 without the zeros at the end of the fraction. */
function shortTime(timestamp: string): string {
  return `${withoutTrailing(withoutTrailing(timestamp.slice(0, -1), '0'), '.')}Z`;
}
