// Upstream: k8s.io/kubernetes/pkg/apis/core/v1/{defaults,zz_generated.defaults}.go, k8s.io/kubernetes/pkg/apis/core/v1/conversion.go
//
// Defaults that types declare have been filled in before; these are the ones that code decides.
import { Quantity } from '../../../machinery/quantity.ts';
import type {
  Container,
  EnvVar,
  HTTPGetAction,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ResourceRequirements,
  Volume,
} from '../../../schema/types/core-v1.ts';
import { allContainers } from './containers.ts';
import type { AnyContainer } from './containers.ts';
import { imageTag } from './image-name.ts';

const defaultFileMode = 0o644;
const tokenExpirationSeconds = 3600;
const terminationGracePeriodSeconds = 30;
const milli = -3;

/** Defaults of every pod spec, of a pod or in a template. */
export function defaultPodSpec(spec: PodSpec): void {
  defaultServiceAccount(spec);
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= terminationGracePeriodSeconds;
  spec.schedulerName ||= 'default-scheduler';
  spec.volumes?.forEach(defaultVolume);
  for (const container of allContainers(spec)) defaultContainer(container);
  roundResources(spec.overhead);
  roundRequirements(spec.resources);
}

export function defaultPodTemplate(template: PodTemplateSpec): void {
  defaultPodSpec(template.spec);
}

/** Two names for one field; the newer one wins. */
function defaultServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

function pullPolicyFor(image: string | undefined): string {
  return imageTag(image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultContainer(container: AnyContainer): void {
  container.imagePullPolicy ||= pullPolicyFor(container.image);
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  container.env?.forEach(defaultEnvVar);
  roundRequirements(container.resources);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe !== undefined) defaultProbe(probe);
  }
  for (const handler of [container.lifecycle?.postStart, container.lifecycle?.preStop]) {
    if (handler?.httpGet !== undefined) defaultHttpGet(handler.httpGet);
  }
}

function defaultEnvVar({ valueFrom }: EnvVar): void {
  if (valueFrom?.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ||= 'v1';
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.httpGet !== undefined) defaultHttpGet(probe.httpGet);
}

function defaultHttpGet(action: HTTPGetAction): void {
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

function defaultVolume(volume: Volume): void {
  if (!hasSource(volume)) volume.emptyDir = {};
  const { image, hostPath, secret, configMap, downwardAPI, projected, ephemeral } = volume;
  if (image !== undefined) image.pullPolicy ||= pullPolicyFor(image.reference);
  if (hostPath !== undefined) hostPath.type ??= '';
  if (secret !== undefined) secret.defaultMode ??= defaultFileMode;
  if (configMap !== undefined) configMap.defaultMode ??= defaultFileMode;
  if (downwardAPI !== undefined) {
    downwardAPI.defaultMode ??= defaultFileMode;
    for (const { fieldRef } of downwardAPI.items ?? []) if (fieldRef !== undefined) fieldRef.apiVersion ||= 'v1';
  }
  if (projected !== undefined) {
    projected.defaultMode ??= defaultFileMode;
    for (const source of projected.sources ?? []) {
      for (const { fieldRef } of source.downwardAPI?.items ?? []) if (fieldRef !== undefined) fieldRef.apiVersion ||= 'v1';
      if (source.serviceAccountToken !== undefined) source.serviceAccountToken.expirationSeconds ??= tokenExpirationSeconds;
    }
  }
  const claim = ephemeral?.volumeClaimTemplate?.spec;
  if (claim !== undefined) {
    claim.volumeMode ??= 'Filesystem';
    roundRequirements(claim.resources);
  }
}

function hasSource(volume: Volume): boolean {
  for (const key in volume) if (key !== 'name' && volume[key as keyof Volume] !== undefined) return true;
  return false;
}

function roundRequirements(requirements: Pick<ResourceRequirements, 'limits' | 'requests'> | undefined): void {
  roundResources(requirements?.limits);
  roundResources(requirements?.requests);
}

const finerThanMilli = /[.nueE]/;

/** Amounts finer than a thousandth are rounded up. */
export function roundResources(resources: Record<string, string> | undefined): void {
  for (const name in resources) {
    const text = resources[name] as string;
    if (finerThanMilli.test(text)) resources[name] = Quantity.parse(text).roundUp(milli).toString();
  }
}

/** What a pod gets and a template does not: requests from limits, host ports on the host's network, service links. */
export function defaultPodOnly(spec: PodSpec): void {
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const { resources } of containers) {
    if (resources?.limits !== undefined) resources.requests = { ...resources.limits, ...resources.requests };
  }
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) containers.forEach(defaultHostPorts);
}

function defaultHostPorts({ ports }: Container): void {
  for (const port of ports ?? []) port.hostPort ||= port.containerPort;
}
