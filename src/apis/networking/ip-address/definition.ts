// Upstream: k8s.io/kubernetes/pkg/registry/networking/ipaddress/strategy.go, k8s.io/kubernetes/pkg/apis/networking/validation/validation.go#ValidateIPAddress*
import { deepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { validateIp } from '../../../machinery/ip-validation.ts';
import { checkDns1123Subdomain, nameIsPathSegment } from '../../../machinery/names.ts';
import type { NameRule } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { IPAddress, ParentReference } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { age } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';

type IpAddressObject = IPAddress & KubeObject;

const metadataPath = FieldPath.root('metadata');
const parentPath = FieldPath.root('spec', 'parentRef');

/** The name is the address, in its one canonical form. */
const nameIsIp: NameRule = (name) => validateIp(name, metadataPath).map(({ detail }) => detail);

export const ipAddresses = defineResource<IpAddressObject>({
  group: 'networking.k8s.io',
  plural: 'ipaddresses',
  strategy: {
    validateName: nameIsIp,
    // The end of an address cannot be chosen at random.
    generateName: (prefix) => prefix,
    validate: validateParent,
    validatesMetadataOnUpdate: true,
    validateUpdate: (address, old) => [
      ...validateMetadata(address.metadata, false, nameIsIp),
      ...validateParent(address),
      ...validateSameParent(address, old),
    ],
  },
  columns: [
    {
      name: 'ParentRef',
      type: 'string',
      description: docOf('io.k8s.api.networking.v1.IPAddressSpec', 'parentRef'),
      cell: ({ spec }) => (spec?.parentRef === undefined ? '<none>' : formatParent(spec.parentRef)),
    },
    { name: 'Age', type: 'string', unannounced: true, cell: ({ metadata }, clock) => age(metadata.creationTimestamp, clock) },
  ],
});

function validateParent({ spec }: IpAddressObject): FieldError[] {
  const parent = spec?.parentRef;
  if (parent === undefined) return [required(parentPath, '')];
  const { group = '', resource = '', name = '', namespace = '' } = parent;
  const pathSegment = (field: string, value: string): FieldError[] =>
    nameIsPathSegment(value, false).map((problem) => invalid(parentPath.child(field), value, problem));
  return [
    ...(group === '' ? [] : checkDns1123Subdomain(group).map((problem) => invalid(parentPath.child('group'), group, problem))),
    ...(resource === '' ? [required(parentPath.child('resource'), '')] : pathSegment('resource', resource)),
    ...(name === '' ? [required(parentPath.child('name'), '')] : pathSegment('name', name)),
    ...(namespace === '' ? [] : pathSegment('namespace', namespace)),
  ];
}

function validateSameParent({ spec }: IpAddressObject, old: IpAddressObject): FieldError[] {
  const parent = spec?.parentRef;
  if (deepEqual(parent, old.spec?.parentRef)) return [];
  const { group = '', resource = '', namespace = '', name = '' } = parent ?? {};
  // upstream shows its internal struct, which has no JSON names
  const shown = parent === undefined ? null : { Group: group, Resource: resource, Namespace: namespace, Name: name };
  return [invalid(parentPath, shown, fieldImmutableMessage).withOrigin('immutable')];
}

/** `services/default/kubernetes` */
function formatParent({ group = '', resource = '', namespace = '', name = '' }: ParentReference): string {
  const kind = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
  return [kind, ...(namespace === '' ? [] : [namespace]), name].join('/');
}
