// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go
import type { Status } from '../../../machinery/errors.ts';
import { ApiError } from '../../../machinery/errors.ts';
import type { Status as StatedStatus } from '../../../schema/types/meta-v1.ts';

const lowestFailure = 400;

/** The response to the client when a webhook does not allow its request: the webhook's own status, made a failure where it is none. */
export function denial(webhook: string, stated: StatedStatus | undefined): ApiError {
  const { status, code = 0, message, reason, details, metadata = {} } = stated ?? {};
  const deniedBy = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = message || reason;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: !status || status === 'Success' ? 'Failure' : status,
    message: why ? `${deniedBy}: ${why}` : `${deniedBy} without explanation`,
    ...(reason && { reason }),
    ...(details && { details }),
    code: Math.max(code, lowestFailure),
  } as Status);
}
