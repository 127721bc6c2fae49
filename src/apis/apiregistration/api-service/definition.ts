// Upstream: k8s.io/kube-aggregator/pkg/registry/apiservice/{strategy.go,etcd/etcd.go}, k8s.io/kube-aggregator/pkg/apis/apiregistration/validation
import { append } from '../../../machinery/append.ts';
import { distinctErrors } from '../../../machinery/distinct-errors.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { NameRule } from '../../../machinery/names.ts';
import { checkDns1035Label, checkDns1123Subdomain, checkPortNumber, nameIsPathSegment } from '../../../machinery/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../../../machinery/object-meta-validation.ts';
import type { APIService } from '../../../schema/types/apiregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';

type ApiServiceObject = APIService & KubeObject;

const spec = FieldPath.root('spec');
const metadataPath = FieldPath.root('metadata');
const defaultPort = 443;
const keptByStatus = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
const conditionStatuses = ['True', 'False', 'Unknown'];

export const apiServices = defineResource<ApiServiceObject>({
  group: 'apiregistration.k8s.io',
  plural: 'apiservices',
  jsonStorageVersion: 'v1',
  strategy: {
    skipsMetadataValidation: true,
    repeatsErrors: true,
    allowUnconditionalUpdate: false,
    defaults(object) {
      if (object.spec?.service) object.spec.service.port ??= defaultPort;
    },
    prepareForCreate(object, { now }) {
      if (object.spec.service) return;
      const message = 'Local APIServices are always available';
      object.status = { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: now, reason: 'Local', message }] };
    },
    validate,
    validateUpdate: (object, old) => [...validateMetadataUpdate(object, old), ...validate(object)],
  },
  status: {
    resetFields: [['spec'], ['metadata']],
    prepareForUpdate({ metadata }, old) {
      for (const field of keptByStatus) setOrDelete(metadata, field, old.metadata[field]);
    },
    validateUpdate: (object, old) => [...validateMetadataUpdate(object, old), ...validateConditions(object)],
  },
  columns: [
    {
      name: 'Service',
      type: 'string',
      description: 'The reference to the service that hosts this API endpoint.',
      cell: ({ spec: { service } }) => (service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local'),
    },
    { name: 'Available', type: 'string', description: 'Whether this service is available.', cell: availability },
    ageColumn,
  ],
});

function availability({ status }: ApiServiceObject): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  return condition.status === 'True' || !condition.reason ? condition.status : `${condition.status} (${condition.reason})`;
}

/** The name is the group version, the other way round. */
function nameOf(version: string, group: string): NameRule {
  const expected = `${version}.${group}`;
  return (name, prefix) => {
    const faults = nameIsPathSegment(name, prefix);
    if (faults.length > 0 || name === expected) return faults;
    return [`must be \`spec.version+"."+spec.group\`: ${goQuote(expected)}`];
  };
}

function validateMetadataUpdate({ metadata }: ApiServiceObject, old: ApiServiceObject): FieldError[] {
  return distinctErrors(validateObjectMetaUpdate(metadata, old.metadata, metadataPath));
}

function validateConditions({ status }: ApiServiceObject): FieldError[] {
  const path = FieldPath.root('status', 'conditions');
  return (status?.conditions ?? []).flatMap((condition, index) =>
    conditionStatuses.includes(condition.status)
      ? []
      : [notSupported(path.index(index).child('status'), typedValue(condition.status), conditionStatuses)],
  );
}

function validate({ metadata, spec: api }: ApiServiceObject): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum, versionPriority, service, caBundle, insecureSkipTLSVerify } = api;
  const errors = distinctErrors(validateObjectMeta(metadata, false, nameOf(version, group), metadataPath));
  if (group === '' && version !== 'v1')
    errors.push(required(spec.child('group'), 'only v1 may have an empty group and it better be legacy kube'));
  if (group !== '')
    append(
      errors,
      checkDns1123Subdomain(group).map((why) => invalid(spec.child('group'), group, why)),
    );
  append(
    errors,
    checkDns1035Label(version).map((why) => invalid(spec.child('version'), version, why)),
  );
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    errors.push(invalid(spec.child('groupPriorityMinimum'), groupPriorityMinimum, 'must be positive and less than 20000'));
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    errors.push(invalid(spec.child('versionPriority'), versionPriority, 'must be positive and less than 1000'));
  }
  if (!service) {
    if (caBundle) {
      const bytes = Buffer.from(caBundle, 'base64').length;
      errors.push(invalid(spec.child('caBundle'), `${bytes} bytes`, 'local APIServices may not have a caBundle'));
    }
    if (insecureSkipTLSVerify) {
      errors.push(invalid(spec.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify'));
    }
    return errors;
  }
  const at = spec.child('service');
  if (!service.namespace) errors.push(required(at.child('namespace'), ''));
  if (!service.name) errors.push(required(at.child('name'), ''));
  const port = service.port ?? 0;
  const badPort = checkPortNumber(port);
  if (badPort.length > 0) errors.push(invalid(at.child('port'), port, `port is not valid: ${badPort.join(', ')}`));
  if (insecureSkipTLSVerify && caBundle)
    errors.push(invalid(spec.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'));
  return errors;
}
