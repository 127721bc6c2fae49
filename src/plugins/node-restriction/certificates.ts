// Upstream: k8s.io/kubernetes/plugin/pkg/admission/noderestriction/admission.go#admitCSR, #admitPodCertificateRequest
import { ApiError, failure } from '../../machinery/errors.ts';
import type { CertificateSigningRequest, PodCertificateRequest } from '../../schema/types/certificates-v1.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import { readCertificateRequest } from '../../apis/common/certificate-request.ts';
import { pemBlocks } from '../../apis/common/pem.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { isAuthorized } from './authorized.ts';

const isNewRequest = requestsFor<CertificateSigningRequest>('certificates.k8s.io', 'certificatesigningrequests').on(['CREATE']);
const isNewPodRequest = requestsFor<PodCertificateRequest>('certificates.k8s.io', 'podcertificaterequests').on(['CREATE']);
const kubeletSigners: ReadonlySet<string> = new Set(['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet']);
const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Of certificates that say who a node is, a node asks for its own. */
export function admitCertificateRequest(node: string, attributes: AdmissionAttributes, { features }: PluginContext): void {
  if (features.enabled('AllowInsecureKubeletCertificateSigningRequests') || !isNewRequest(attributes)) return;
  const { spec } = attributes.object;
  if (!kubeletSigners.has(spec.signerName)) return;
  const [block] = pemBlocks(Buffer.from(spec.request ?? '', 'base64').toString('latin1'));
  if (block?.type !== 'CERTIFICATE REQUEST') throw forbid(attributes, 'unable to parse csr: PEM block type must be CERTIFICATE REQUEST');
  const request = readCertificateRequest(block.bytes);
  if (request === undefined) throw forbid(attributes, 'unable to parse csr: x509: malformed certificate request');
  if (request.commonName !== `system:node:${node}`) {
    throw forbid(attributes, `can only create a node CSR with CN=system:node:${node}`);
  }
}

/** A node asks for the identity of pods that run on it. */
export async function admitPodCertificateRequest(node: string, attributes: AdmissionAttributes, context: PluginContext): Promise<void> {
  const { operation, subresource, namespace } = attributes;
  const { reader, features } = context;
  const refuse = (problem: string): ApiError => forbid(attributes, problem);
  if (!features.enabled('PodCertificateRequest')) throw refuse('PodCertificateRequest feature gate is disabled');
  if (operation !== 'CREATE') throw refuse(`unexpected operation ${operation}`);
  if (!isNewPodRequest(attributes)) throw refuse(`unexpected subresource ${subresource}`);
  const { spec } = attributes.object;
  const { nodeName, nodeUID, podName, podUID, serviceAccountName, serviceAccountUID } = spec;
  const podId = JSON.stringify(`${namespace}/${podName}`);

  if (nodeName !== node) {
    throw refuse(
      `PodCertificateRequest.Spec.NodeName=${JSON.stringify(nodeName)}, which is not the requesting node ${JSON.stringify(node)}`,
    );
  }
  const found = await reader.get<KubeObject>('', 'nodes', '', node);
  if (found === undefined) throw missing('node', JSON.stringify(node), node);
  if (found.metadata.uid !== nodeUID) {
    throw uncertain(
      `PodCertificateRequest for pod ${podId} names node UID "${nodeUID}", inconsistent with the running node ("${found.metadata.uid}")`,
    );
  }

  const pod = await reader.get<Pod & KubeObject>('', 'pods', namespace, podName);
  if (pod === undefined) throw missing('pod', podId, podName);
  if (pod.metadata.uid !== podUID) {
    throw uncertain(
      `PodCertificateRequest for pod ${podId} contains pod UID ("${podUID}") which differs from running pod "${pod.metadata.uid}"`,
    );
  }
  if (pod.spec.nodeName !== node) {
    throw refuse(`pod ${podId} is not running on node ${JSON.stringify(node)} named in the PodCertificateRequest`);
  }
  if (pod.metadata.annotations?.[mirrorAnnotation] !== undefined) throw refuse(`pod ${podId} is a mirror pod`);

  const own = pod.spec.serviceAccountName ?? '';
  if (serviceAccountName !== own) {
    const [named, running] = [JSON.stringify(serviceAccountName), JSON.stringify(own)];
    throw refuse(
      `PodCertificateRequest for pod ${podId} contains serviceAccountName (${named}) that differs from running pod (${running})`,
    );
  }
  const account = await reader.get<KubeObject>('', 'serviceaccounts', namespace, serviceAccountName);
  if (account === undefined) throw missing('service account', JSON.stringify(`${namespace}/${serviceAccountName}`), serviceAccountName);
  if (account.metadata.uid !== serviceAccountUID) {
    throw uncertain(
      `PodCertificateRequest for pod ${podId} names service account UID "${serviceAccountUID}", which differs from the running service account ("${account.metadata.uid}")`,
    );
  }
  if (!(await mayAskSigner(pod, spec, attributes, context))) {
    throw refuse(`pod ${podId} does not mount a podCertificate projected volume for signer ${JSON.stringify(spec.signerName)}`);
  }
}

async function mayAskSigner(
  { spec }: Pod,
  { signerName, serviceAccountName }: PodCertificateRequest['spec'],
  attributes: AdmissionAttributes,
  { authorizer }: PluginContext,
): Promise<boolean> {
  const sources = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ podCertificate }) => podCertificate?.signerName === signerName)) return true;
  const verb = 'request-serviceaccounts-podcertificate-signer';
  // A resource in a rule has no slash other than that before a subresource.
  return isAuthorized(authorizer, attributes, { verb, resource: signerName.replaceAll('/', ':'), name: serviceAccountName });
}

/** 500 without a reason, not 403: what the request names may be about to be seen, so that it is worth another try. */
function uncertain(message: string): ApiError {
  return new ApiError(failure(500, '', message));
}

function missing(what: string, id: string, name: string): ApiError {
  return uncertain(
    `while retrieving ${what} ${id} named in the PodCertificateRequest: ${what.replace(' ', '')} ${JSON.stringify(name)} not found`,
  );
}
