// Upstream: k8s.io/apiserver/pkg/server/filters/maxinflight.go
import type { Filter, Handler } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import { isLongRunning } from '../lifecycle/in-flight.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import { privilegedGroup } from '../request/user.ts';
import type { InFlightPeaks } from '../access/flow-control/in-flight-peaks.ts';
import { readVerbs, serve } from './serve.ts';

const nothing = (): void => {};

export interface InFlightLimits {
  /** 0: no limit */
  readonly reads: number;
  readonly writes: number;
}

/** Without priority and fairness: so many reads and so many writes at once, from all users; system:masters are never turned away. */
export function withMaxInFlight(limits: InFlightLimits, peaks: InFlightPeaks): Filter<AuthenticatedRequest> {
  const underWay = { reads: 0, writes: 0 };
  return (next) =>
    (request): ReturnType<Handler> => {
      if (isLongRunning(request.info)) return next(request);
      const kind = readVerbs.has(request.info.verb) ? 'reads' : 'writes';
      if (limits[kind] === 0) return next(request);
      if (underWay[kind] < limits[kind]) {
        const shown = kind === 'reads' ? 'readOnly' : 'mutating';
        underWay[kind]++;
        peaks.changed('executing', shown, 1);
        return serve(next, request, nothing, () => {
          underWay[kind]--;
          peaks.changed('executing', shown, -1);
        });
      }
      if (request.user.groups.includes(privilegedGroup)) return next(request);
      return textResponse(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' });
    };
}
