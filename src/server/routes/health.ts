// Upstream: k8s.io/apiserver/pkg/server/healthz/healthz.go
import type { HealthObserver } from './health-metrics.ts';
import type { PathMux } from '../http/path-mux.ts';
import { textResponse } from '../http/response.ts';
import type { Request } from '../http/request.ts';
import type { Handler, Response } from '../http/response.ts';

export interface HealthCheck {
  readonly name: string;
  /** several checks that can be excluded by one name */
  readonly group?: string;
  /** Rejects with the reason when unhealthy. */
  check(request: Request): Promise<void> | void;
}

export const pingCheck: HealthCheck = { name: 'ping', check: () => {} };

/** `/healthz`, `/livez` or `/readyz`, and each check below it. */
export function installHealth(
  mux: PathMux,
  path: string,
  checks: readonly HealthCheck[],
  onFailure: (failed: readonly string[], details: string) => void,
  observe: HealthObserver = () => {},
): void {
  const name = path.slice(1);
  mux.handle(path, (request) => report(name, checks, request, onFailure, observe));
  for (const check of checks) mux.handle(`${path}/${check.name}`, single(check));
}

async function report(
  name: string,
  checks: readonly HealthCheck[],
  request: Request,
  onFailure: (failed: readonly string[], details: string) => void,
  observe: HealthObserver,
): Promise<Response> {
  const { query } = request;
  const excluded = new Set(query.getAll('exclude'));
  const unused = new Set(excluded);
  const lines: string[] = [];
  const failed: string[] = [];
  const details: string[] = [];
  for (const check of checks) {
    if (excluded.has(check.name)) {
      unused.delete(check.name);
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    if (check.group !== undefined && excluded.has(check.group)) {
      unused.delete(check.group);
      lines.push(`[+]${check.name} excluded with ${check.group}: ok`);
      continue;
    }
    try {
      await check.check(request);
      observe(check.name, true);
      lines.push(`[+]${check.name} ok`);
    } catch (error) {
      observe(check.name, false);
      failed.push(check.name);
      details.push(`${check.name}: ${error instanceof Error ? error.message : String(error)}`);
      // The reason is in the log only: health may be readable without credentials.
      lines.push(`[-]${check.name} failed: reason withheld`);
    }
  }
  if (unused.size > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${[...unused]
        .toSorted()
        .map((one) => JSON.stringify(one))
        .join(',')}`,
    );
  if (failed.length > 0) {
    onFailure(failed, details.join('; '));
    return textResponse(500, `${lines.join('\n')}\n${name} check failed\n`);
  }
  return query.has('verbose') ? textResponse(200, `${lines.join('\n')}\n${name} check passed\n`) : textResponse(200, 'ok');
}

function single(check: HealthCheck): Handler {
  return async (request) => {
    try {
      await check.check(request);
      return textResponse(200, 'ok');
    } catch (error) {
      return textResponse(500, `internal server error: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
}
