// Upstream: k8s.io/kubernetes/pkg/quota/v1/evaluator/core/*.go, k8s.io/apiserver/pkg/quota/v1/generic/evaluator.go
import { Quantity } from '../../../machinery/quantity.ts';
import type { PersistentVolumeClaim, ScopedResourceSelectorRequirement, Service } from '../../../schema/types/core-v1.ts';
import type { ResourceAmounts } from '../pod-spec/pod-resources.ts';
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { deviceClaims } from './device-claim-evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';

/** How objects of one kind count against quotas. */
export interface Evaluator<T extends KubeObject = KubeObject> {
  handles(attributes: AdmissionAttributes): boolean;
  /** whether a quota's resource is one that this kind uses */
  evaluates(resource: string): boolean;
  usage(object: T, now: number): ResourceAmounts;
  matchesScope(scope: ScopedResourceSelectorRequirement, object: T): boolean;
  /** what the object must say for its usage of a quota's resources to be known; undefined: nothing is missing */
  missing?(object: T): (resources: ReadonlySet<string>) => string | undefined;
}

const one = Quantity.of(1);

/** short names that counts of these kinds had before there was a general form */
const aliases: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

export function evaluatorOf(
  group: string,
  plural: string,
  features: { readonly volumeAttributes: boolean; readonly podLevel: boolean },
): Evaluator {
  if (group === '') {
    switch (plural) {
      case 'pods':
        return podEvaluator(features.podLevel);
      case 'services':
        return services;
      case 'persistentvolumeclaims':
        return features.volumeAttributes ? claims : { ...claims, matchesScope: () => false };
    }
  }
  if (group === 'resource.k8s.io' && plural === 'resourceclaims') return deviceClaims;
  return objectCount([countName(group, plural), ...(group === '' && aliases.has(plural) ? [plural] : [])]);
}

function countName(group: string, plural: string): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`;
}

function objectCount(names: readonly string[]): Evaluator {
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    evaluates: (resource) => names.includes(resource),
    usage: () => new Map(names.map((name) => [name, one])),
    matchesScope: () => false,
  };
}

const serviceResources: ReadonlySet<string> = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

const services: Evaluator<Service & KubeObject> = {
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  evaluates: (resource) => serviceResources.has(resource),
  usage(object) {
    const { type, ports: all, allocateLoadBalancerNodePorts } = object.spec;
    const ports = all ?? [];
    const balanced = type === 'LoadBalancer';
    const nodePorts =
      balanced && allocateLoadBalancerNodePorts === false
        ? ports.filter(({ nodePort }) => nodePort).length
        : balanced || type === 'NodePort'
          ? ports.length
          : 0;
    return new Map([
      ['count/services', one],
      ['services', one],
      ['services.loadbalancers', Quantity.of(balanced ? 1 : 0)],
      ['services.nodeports', Quantity.of(nodePorts)],
    ]);
  },
  matchesScope: () => false,
};

const claimResources = ['persistentvolumeclaims', 'requests.storage'] as const;
const classInfix = '.storageclass.storage.k8s.io/';

const claims: Evaluator<PersistentVolumeClaim & KubeObject> = {
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  evaluates: (resource) =>
    resource === 'count/persistentvolumeclaims' || claimResources.some((name) => resource === name || resource.endsWith(classInfix + name)),
  usage(object) {
    const { metadata, spec, status } = object;
    const used: ResourceAmounts = new Map([
      ['persistentvolumeclaims', one],
      ['count/persistentvolumeclaims', one],
    ]);
    const className = metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? '';
    const requested = spec.resources?.requests?.['storage'];
    if (className !== '') used.set(`${className}${classInfix}persistentvolumeclaims`, one);
    if (requested !== undefined) {
      const allocated = status?.allocatedResources?.['storage'];
      const wanted = Quantity.parse(requested);
      const size = allocated !== undefined && Quantity.parse(allocated).compare(wanted) > 0 ? Quantity.parse(allocated) : wanted;
      used.set('requests.storage', size.roundUp(0));
      if (className !== '') used.set(`${className}${classInfix}requests.storage`, size.roundUp(0));
    }
    return used;
  },
  matchesScope({ scopeName, operator, values = [] }, object) {
    if (scopeName !== 'VolumeAttributesClass') return false;
    const { spec, status } = object;
    const names = [spec.volumeAttributesClassName, status?.currentVolumeAttributesClassName].filter((name) => name);
    if (operator === 'Exists') return names.length > 0;
    if (operator === 'DoesNotExist') return names.length === 0;
    const listed = names.some((name) => values.includes(name as string));
    return operator === 'In' ? listed : !listed;
  },
};
