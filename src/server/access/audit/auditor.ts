// Upstream: k8s.io/apiserver/pkg/endpoints/filters/audit.go#evaluatePolicyAndCreateAuditEvent
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import type { MetricsRegistry } from '../../../base/metrics.ts';
import type { Policy } from '../../../schema/types/audit-v1.ts';
import type { UserInfo } from '../../request/user.ts';
import type { ParsedRequest } from '../../request/stages.ts';
import type { Codecs } from '../../object/codecs.ts';
import type { AuditBackend } from './backend.ts';
import { PolicyRules } from './policy-rules.ts';
import { AuditReports } from './reports.ts';
import type { AuditTrail } from './request-audit.ts';
import { RequestAudit } from './request-audit.ts';

/** What a server is to record, and where. */
export interface AuditOptions {
  readonly policy: Policy;
  open(reports: AuditReports): AuditBackend;
}

interface AuditContext {
  readonly codecs: Codecs;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly log: Logger;
}

/** undefined: nothing is recorded. The metrics are there all the same. */
export function createAuditor(options: AuditOptions | undefined, { codecs, metrics, clock, log }: AuditContext): Auditor | undefined {
  const reports = new AuditReports(metrics, log);
  if (options === undefined) return undefined;
  return new Auditor(codecs, new PolicyRules(options.policy), { backend: options.open(reports), reports, clock });
}

/** Decides which requests are audited, and how. */
export class Auditor {
  readonly codecs: Codecs;
  readonly #rules: PolicyRules;
  readonly #trail: AuditTrail;

  constructor(codecs: Codecs, rules: PolicyRules, trail: AuditTrail) {
    this.codecs = codecs;
    this.#rules = rules;
    this.#trail = trail;
  }

  /** undefined: nothing is recorded of it. `user` is undefined where authentication failed. */
  audit(request: ParsedRequest, user: UserInfo | undefined): RequestAudit | undefined {
    const extent = this.#rules.extentOf({ ...request.info, user });
    this.#trail.reports.level(extent.level);
    if (extent.level === 'None') return undefined;
    return new RequestAudit(request, user, extent, this.#trail);
  }

  /** Resolves when everything is where it belongs. */
  close(): Promise<void> {
    return this.#trail.backend.close();
  }

  /** A request that is not served because it could not be recorded. */
  rejected(): void {
    this.#trail.reports.rejected();
  }
}
