// Upstream: k8s.io/apiserver/pkg/audit/{context,request}.go
import type { Clock } from '../../../base/clock.ts';
import type { Steps } from '../../../base/steps.ts';
import { allSteps, stepByStep } from '../../../base/steps.ts';
import { largeBytes } from '../../../base/turns.ts';
import type { Status } from '../../../machinery/errors.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import { formatDuration, microTimestamp } from '../../../machinery/time.ts';
import type { ObjectReference } from '../../../schema/types/audit-v1.ts';
import type { UserInfo } from '../../request/user.ts';
import type { AuditContext, Layer } from '../../request/audit-context.ts';
import type { ParsedRequest } from '../../request/stages.ts';
import type { AuditBackend } from './backend.ts';
import type { AuditEvent } from './event.ts';
import { compactJson, withoutManagedFields } from './json-text.ts';
import type { Stage } from './level.ts';
import { isAtLeast } from './level.ts';
import type { Extent } from './policy-rules.ts';
import type { AuditReports } from './reports.ts';
import { sourceIps } from './source-ips.ts';

const maxUserAgentLength = 1024;
/** requests that take longer are recorded with what took how long */
const slowMs = 500;

/** Where events of all requests go. */
export interface AuditTrail {
  readonly backend: AuditBackend;
  readonly reports: AuditReports;
  readonly clock: Clock;
}

/** What is found out about one request, for the events of its stages. */
export class RequestAudit implements AuditContext {
  readonly #request: ParsedRequest;
  readonly #extent: Extent;
  readonly #trail: AuditTrail;
  readonly #user: UserInfo | undefined;
  /** of this request: its times have microseconds, and none is before another that came first */
  readonly #epoch: number;
  readonly #took = new Map<Layer, number>();
  readonly #noted = new Map<string, string>();
  #reference: ObjectReference | undefined;
  #impersonated: UserInfo | undefined;
  #impersonationConstraint = '';
  #status: Partial<Status> | undefined;
  #deprecation: Readonly<Record<string, string>> = {};
  #requestObject: RecordedObject | undefined;
  #responseObject: RecordedObject | undefined;

  constructor(request: ParsedRequest, user: UserInfo | undefined, extent: Extent, trail: AuditTrail) {
    this.#request = request;
    this.#extent = extent;
    this.#trail = trail;
    this.#user = user;
    this.#epoch = trail.clock.now() - performance.now();
    this.#took.set('authentication', performance.now() - request.receivedAt);
    const { isResource, namespace, name, resource, subresource, group, version } = request.info;
    if (isResource) this.#reference = { namespace, name, resource, subresource, apiGroup: group, apiVersion: version };
  }

  /** Objects of responses are recorded. */
  get wantsResponse(): boolean {
    return isAtLeast(this.#extent.level, 'RequestResponse');
  }

  get isAnswered(): boolean {
    return this.#status !== undefined;
  }

  begins(layer: Layer): void {
    this.#took.set(layer, -performance.now());
  }

  ends(layer: Layer): void {
    this.#took.set(layer, (this.#took.get(layer) ?? 0) + performance.now());
  }

  annotate(key: string, value: string, level: 'Metadata' | 'Request' = 'Metadata'): void {
    if (!this.#noted.has(key) && isAtLeast(this.#extent.level, level)) this.#noted.set(key, value);
  }

  sent(metadata: ObjectMeta | undefined, encode: () => string): void {
    const { name, namespace, uid, resourceVersion } = this.#reference ?? {};
    if (metadata !== undefined) {
      this.#reference = {
        ...this.#reference,
        namespace: namespace || (metadata.namespace ?? ''),
        name: name || (metadata.name ?? ''),
        uid: uid || (metadata.uid ?? ''),
        resourceVersion: resourceVersion || (metadata.resourceVersion ?? ''),
      };
    }
    if (isAtLeast(this.#extent.level, 'Request')) this.#requestObject = this.#recorded(encode());
  }

  sentPatch(json: () => string): void {
    if (isAtLeast(this.#extent.level, 'Request')) this.#requestObject = new RecordedObject(json(), false);
  }

  deprecated(removedRelease: string | undefined): void {
    this.#deprecation = { 'k8s.io/deprecated': 'true', ...(removedRelease !== undefined && { 'k8s.io/removed-release': removedRelease }) };
  }

  impersonated(user: UserInfo, constraint: string): void {
    this.#impersonated = user;
    this.#impersonationConstraint = constraint;
  }

  /** The response: its code, what it says if it is a Status, and its object as JSON where that is wanted. */
  answered(code: number, status: Status | undefined, object: string | undefined): void {
    this.#status = { ...status, code };
    if (object !== undefined && this.wantsResponse) this.#responseObject = this.#recorded(object);
  }

  /** False when an event could not be recorded. */
  stage(stage: Stage): boolean | Promise<boolean> {
    if (this.#extent.omitStages.has(stage)) return true;
    const { backend, reports } = this.#trail;
    reports.event();
    const at = stage === 'RequestReceived' ? this.#request.receivedAt : performance.now();
    const [sent, received] = [this.#requestObject, this.#responseObject];
    if (sent?.isLarge !== true && received?.isLarge !== true) return backend.process([this.#event(stage, at)]);
    return Promise.all([sent?.prepared(), received?.prepared()]).then(() => backend.process([this.#event(stage, at)]));
  }

  #event(stage: Stage, at: number): AuditEvent {
    const { source, auditId, receivedAt, info } = this.#request;
    const constraint = this.#impersonationConstraint;
    return {
      level: this.#extent.level,
      auditID: auditId,
      stage,
      requestURI: source.target,
      verb: info.verb,
      user: this.#user,
      impersonatedUser: this.#impersonated,
      authenticationMetadata: constraint === '' ? undefined : { impersonationConstraint: constraint },
      sourceIPs: sourceIps(this.#request),
      userAgent: shortened(this.#request.header('user-agent') ?? ''),
      objectRef: this.#reference,
      responseStatus: this.#status,
      requestObject: this.#requestObject?.text,
      responseObject: this.#responseObject?.text,
      requestReceivedTimestamp: microTimestamp(this.#epoch + receivedAt),
      stageTimestamp: microTimestamp(this.#epoch + at),
      annotations: this.#annotations(stage),
    };
  }

  /** How long it took is known when the request is over; a quirk kept: so is that an API is deprecated. */
  #annotations(stage: Stage): Record<string, string> | undefined {
    const isOver = stage === 'ResponseComplete';
    const annotations = {
      ...Object.fromEntries(this.#noted),
      ...(isOver && this.#deprecation),
      ...(isOver && this.#latencies()),
    };
    return Object.keys(annotations).length === 0 ? undefined : annotations;
  }

  #latencies(): Record<string, string> {
    const total = performance.now() - this.#request.receivedAt;
    if (total <= slowMs) return {};
    const all = [...this.#took, ['total', total] as const];
    return Object.fromEntries(
      all.map(([layer, ms]) => [`apiserver.latency.k8s.io/${layer}`, formatDuration(BigInt(Math.round(ms * 1e6)))]),
    );
  }

  #recorded(text: string): RecordedObject {
    return new RecordedObject(text, this.#extent.omitManagedFields);
  }
}

/** The JSON of an object, which may take long to be brought into the form in which it is recorded. */
class RecordedObject {
  readonly #given: string;
  readonly #omitsManagedFields: boolean;
  #text: string | undefined;

  constructor(given: string, omitsManagedFields: boolean) {
    this.#given = given;
    this.#omitsManagedFields = omitsManagedFields;
  }

  get isLarge(): boolean {
    return this.#given.length >= largeBytes;
  }

  get text(): string {
    return (this.#text ??= allSteps(this.#forming()));
  }

  async prepared(): Promise<void> {
    this.#text ??= await stepByStep(this.#forming());
  }

  *#forming(): Steps<string> {
    const compact = yield* compactJson(this.#given);
    return this.#omitsManagedFields ? yield* withoutManagedFields(compact) : compact;
  }
}

function shortened(userAgent: string): string {
  return userAgent.length > maxUserAgentLength ? `${userAgent.slice(0, maxUserAgentLength)}...TRUNCATED` : userAgent;
}
