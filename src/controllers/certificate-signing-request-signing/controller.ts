// Upstream: k8s.io/kubernetes/pkg/controller/certificates/signer/signer.go
import type { CertificateRequest } from '../../apis/common/certificate-request.ts';
import type { KeyPair } from '../../base/tls/certificate.ts';
import { timestamp } from '../../machinery/time.ts';
import type { SigningRequestObject } from '../common/certificate-requests.ts';
import {
  certificateAccount,
  certificateRequestOf,
  handleSigningRequests,
  hasCondition,
  kubeletClientProblem,
  kubeletServingProblem,
  signers,
  signingRequests,
} from '../common/certificate-requests.ts';
import type { Controller } from '../common/controller.ts';
import { defineController } from '../common/controller.ts';
import { signingAuthority, signRequest } from './sign.ts';

const minuteMs = 60_000;
const shortestMs = 10 * minuteMs;

/** Why a signer does not sign what is asked for; undefined: it does. */
type Check = (asked: CertificateRequest, usages: readonly string[]) => string | undefined;

const checks: Readonly<Record<string, Check>> = {
  [signers.kubeletServing]: kubeletServingProblem,
  [signers.kubeletClient]: kubeletClientProblem,
  [signers.client]: (_, usages) => clientUsageProblem(usages),
  // As upstream: nothing is refused, for requests from before signers had names.
  [signers.legacyUnknown]: () => undefined,
};

export interface CertificateSigner {
  readonly authority: KeyPair;
  /** how long certificates are valid, at most */
  readonly durationMs: number;
}

/** Signs what was approved for the signers of Kubernetes. */
export function certificateSigning({ authority, durationMs }: CertificateSigner): Controller {
  return defineController({
    name: 'certificatesigningrequest-signing-controller',
    account: certificateAccount,
    async run(context) {
      const { client, clock } = context;
      const signer = signingAuthority(authority);
      await handleSigningRequests(context, async (request) => {
        const { signerName, usages = [], expirationSeconds } = request.spec;
        const check = checks[signerName];
        if (check === undefined || !hasCondition(request, 'Approved') || hasCondition(request, 'Denied') || hasFailed(request)) return;
        const asked = certificateRequestOf(request);
        const problem = check(asked, usages);
        const now = clock.now();
        if (problem !== undefined) {
          const failed = {
            type: 'Failed',
            status: 'True',
            reason: 'SignerValidationFailure',
            message: problem,
            lastUpdateTime: timestamp(now),
            lastTransitionTime: null,
          };
          return writeStatus(request, { conditions: [...(request.status?.conditions ?? []), failed] });
        }
        const certificate = signRequest(signer, asked, { usages, validMs: validMs(expirationSeconds, durationMs), now });
        await writeStatus(request, { certificate: Buffer.from(certificate).toString('base64') });
      });

      async function writeStatus(request: SigningRequestObject, changed: NonNullable<SigningRequestObject['status']>): Promise<void> {
        await client.update(`${signingRequests}/${request.metadata.name}/status`, {
          ...request,
          status: { ...request.status, ...changed },
        });
      }
    },
  });
}

function hasFailed({ status }: SigningRequestObject): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === 'Failed' && (condition.status || 'True') === 'True');
}

function validMs(seconds: number | undefined, longestMs: number): number {
  if (seconds === undefined || seconds * 1000 > longestMs) return longestMs;
  // Quirk: what asks for less than this gets this, even where the longest is shorter.
  return Math.max(seconds * 1000, shortestMs);
}

function clientUsageProblem(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}
