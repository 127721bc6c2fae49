// Upstream: k8s.io/kubernetes/pkg/controller/certificates/cleaner/cleaner.go
import { pause, whenAborted } from '../../base/pause.ts';
import { MalformedError } from '../../base/x509/der-reader.ts';
import { readCertificate } from '../../base/x509/certificate.ts';
import { pemBlocks } from '../../apis/common/pem.ts';
import { isReason } from '../../machinery/errors.ts';
import type { SigningRequestObject } from '../common/certificate-requests.ts';
import { certificateAccount, hasCertificate, hasCondition, signingRequests } from '../common/certificate-requests.ts';
import { defineController } from '../common/controller.ts';

const hourMs = 3_600_000;
const pendingMs = 24 * hourMs;

/** Deletes requests for certificates that are done with, an hour after they were decided, and those that are forgotten after a day. */
export const certificateCleaner = defineController({
  name: 'certificatesigningrequest-cleaner-controller',
  account: certificateAccount,
  async run({ client, informers, clock, log, signal }) {
    const requests = informers.of<SigningRequestObject>(signingRequests);
    using _requests = requests.subscribe({});
    await Promise.race([requests.synced, whenAborted(signal)]);
    while (!signal.aborted) {
      for (const request of [...requests.values()]) {
        if (signal.aborted) return;
        if (isDone(request, clock.now())) await remove(request.metadata.name ?? '');
      }
      await pause(clock, hourMs, signal);
    }

    async function remove(name: string): Promise<void> {
      try {
        await client.delete(`${signingRequests}/${name}`, { propagationPolicy: 'Background' });
      } catch (error) {
        if (!isReason(error, 'NotFound')) log.error('failed to clean up a CertificateSigningRequest', { csr: name, err: error });
      }
    }
  },
});

function isDone(request: SigningRequestObject, now: number): boolean {
  const { metadata, status } = request;
  const conditions = status?.conditions ?? [];
  const isIssued = hasCertificate(request);
  const isOlder = (time: string | null | undefined, ms: number): boolean => typeof time === 'string' && now - Date.parse(time) > ms;
  if (conditions.length === 0) return isOlder(metadata.creationTimestamp, pendingMs);
  const deadlines = { Denied: hourMs, Failed: hourMs, Approved: isIssued ? hourMs : pendingMs } as const;
  const isPast = conditions.some(({ type, lastUpdateTime }) => {
    const deadline = type in deadlines ? deadlines[type as keyof typeof deadlines] : undefined;
    return deadline !== undefined && isOlder(lastUpdateTime, deadline);
  });
  return isPast || (isIssued && hasCondition(request, 'Approved') && isExpired(status?.certificate ?? '', now));
}

/** Whether the first certificate is no longer valid. One that cannot be read is kept until its deadline. */
function isExpired(certificate: string, now: number): boolean {
  const block = pemBlocks(Buffer.from(certificate, 'base64').toString()).find(({ type }) => type === 'CERTIFICATE');
  if (block === undefined) return false;
  try {
    return readCertificate(block.bytes).notAfter < now;
  } catch (error) {
    if (error instanceof MalformedError) return false;
    throw error;
  }
}
