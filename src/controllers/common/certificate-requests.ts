// Upstream: k8s.io/kubernetes/pkg/controller/certificates/{certificate_controller.go,certificate_controller_utils.go}, k8s.io/kubernetes/pkg/apis/certificates/helpers.go
import type { CertificateRequest } from '../../apis/common/certificate-request.ts';
import { readCertificateRequest } from '../../apis/common/certificate-request.ts';
import { pemBlocks } from '../../apis/common/pem.ts';
import type { CertificateSigningRequest } from '../../schema/types/certificates-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ControllerContext } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

export type SigningRequestObject = CertificateSigningRequest & KubeObject;

export const signingRequests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
/** the account of all controllers for such requests */
export const certificateAccount = 'certificate-controller';
export const signers = {
  kubeletServing: 'kubernetes.io/kubelet-serving',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  client: 'kubernetes.io/kube-apiserver-client',
  legacyUnknown: 'kubernetes.io/legacy-unknown',
} as const;

/** Calls `handle` for each request that has no certificate yet, whenever it changes, and again while it fails. */
export async function handleSigningRequests(
  { informers, clock, log, metrics, signal }: ControllerContext,
  handle: (request: SigningRequestObject) => Promise<void>,
): Promise<void> {
  const requests = informers.of<SigningRequestObject>(signingRequests);
  const queue = new WorkQueue<string>({
    name: 'certificate',
    metrics,
    clock,
    log,
    async process(name) {
      const request = requests.get('', name);
      if (request !== undefined && !hasCertificate(request)) await handle(request);
    },
  });
  using _requests = requests.subscribe({ changed: ({ metadata }) => queue.add(metadata.name ?? '') });
  await queue.run(signal, requests.synced);
}

export function hasCertificate({ status }: SigningRequestObject): boolean {
  return (status?.certificate ?? '') !== '';
}

export function hasCondition({ status }: SigningRequestObject, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type);
}

/** What is asked for. Throws when it cannot be read. */
export function certificateRequestOf({ metadata, spec }: SigningRequestObject): CertificateRequest {
  const [block] = pemBlocks(Buffer.from(spec.request ?? '', 'base64').toString());
  const request = block?.type === 'CERTIFICATE REQUEST' ? readCertificateRequest(block.bytes) : undefined;
  if (request === undefined) throw new Error(`the certificate request of ${metadata.name} cannot be read`);
  return request;
}

const nodes = 'system:nodes';
const nodePrefix = 'system:node:';

/** Why a request is not one for the client certificate of a kubelet; undefined: it is. */
export function kubeletClientProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names } = request;
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if ((names?.dns.length ?? 0) > 0) return 'DNS subjectAltNames are not allowed';
  if ((names?.emails.length ?? 0) > 0) return 'Email subjectAltNames are not allowed';
  if ((names?.addresses.length ?? 0) > 0) return 'IP subjectAltNames are not allowed';
  if ((names?.uris.length ?? 0) > 0) return 'URI subjectAltNames are not allowed';
  if (!request.commonName.startsWith(nodePrefix)) return 'subject common name does not begin with system:node:';
  return usageProblem(usages, 'client auth');
}

/** Why a request is not one for the serving certificate of a kubelet; undefined: it is. */
export function kubeletServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names } = request;
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if ((names?.dns.length ?? 0) === 0 && (names?.addresses.length ?? 0) === 0) return 'DNS or IP subjectAltName is required';
  if ((names?.emails.length ?? 0) > 0) return 'Email subjectAltNames are not allowed';
  if ((names?.uris.length ?? 0) > 0) return 'URI subjectAltNames are not allowed';
  const problem = usageProblem(usages, 'server auth');
  if (problem !== undefined) return problem;
  return request.commonName.startsWith(nodePrefix) ? undefined : 'subject common name does not begin with system:node:';
}

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === nodes;
}

function usageProblem(usages: readonly string[], auth: string): string | undefined {
  const given = new Set(usages);
  const [plain, withKey] = [new Set(['digital signature', auth]), new Set(['digital signature', 'key encipherment', auth])];
  const isOneOf = [plain, withKey].some((wanted) => wanted.size === given.size && wanted.isSubsetOf(given));
  return isOneOf ? undefined : `usages did not match [${[...withKey].toSorted().join(' ')}]`;
}
