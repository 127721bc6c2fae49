// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#ValidateStatefulSet*
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath, LiteralValue, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { goJson } from '../../../machinery/go-format.ts';
import { checkDns1123Label } from '../../../machinery/names.ts';
import {
  fieldImmutableMessage,
  validateAnnotations,
  validateImmutable,
  validateLabels,
  validateNonNegative,
} from '../../../machinery/object-meta-validation.ts';
import type { Type } from '../../../machinery/type-model.ts';
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from '../../../schema/types/apps-v1.ts';
import type { PodTemplateSpec, Volume } from '../../../schema/types/core-v1.ts';
import { intOrPercentValue, validateAtMostAll, validateIntOrPercent } from '../../common/int-or-percent.ts';
import { internalValue, mostShown, typeAt } from '../../common/internal-value.ts';
import { internalForm } from '../../common/internal-form.ts';
import type { InternalShape } from '../../common/internal-form.ts';
import { newClaimOptions, validateClaimSpec } from '../../common/persistent-volume-claim-spec.ts';
import { validatePodAnnotations } from '../../common/pod-spec/annotations.ts';
import type { PodValidationOptions } from '../../common/pod-spec/options.ts';
import { validatePodTemplateSpec } from '../../common/pod-spec/template.ts';
import {
  readSelector,
  shownSelector,
  validateEndlessPods,
  validateRequiredSelector,
  validateSelectorMatches,
  validateSelectorUnchanged,
} from '../../common/workload/selector.ts';
import { validateAtMost, validateCollisions, validateCounts } from '../../common/workload/status.ts';

export interface StatefulSetOptions {
  readonly allowRecreate: boolean;
  /** of claim templates, for messages that show them */
  readonly claimType: Type;
  /** an update may keep names and claims that a create would not take, since they cannot change */
  readonly isUpdate: boolean;
  /** the stored template is not valid itself, so the new one need not be */
  readonly skipTemplate?: boolean;
}

const specPath = FieldPath.root('spec');
const templatePath = specPath.child('template');

export function validateStatefulSetSpec(spec: StatefulSetSpec, options: PodValidationOptions, about: StatefulSetOptions): FieldError[] {
  const { serviceName = '', selector, template } = spec;
  const errors = [
    ...validateManagement(spec.podManagementPolicy),
    ...validateStrategy(spec.updateStrategy, about.allowRecreate),
    ...validateRetention(spec.persistentVolumeClaimRetentionPolicy),
    ...(about.isUpdate ? [] : validateClaims(spec)),
    ...validateNonNegative(spec.replicas, specPath.child('replicas')),
    ...validateNonNegative(spec.minReadySeconds, specPath.child('minReadySeconds')),
    ...validateNonNegative(spec.ordinals?.start, specPath.child('ordinals.start')),
  ];
  if (!about.isUpdate && serviceName !== '') {
    for (const problem of checkDns1123Label(serviceName)) errors.push(invalid(specPath.child('serviceName'), serviceName, problem));
  }
  append(errors, validateRequiredSelector(selector, specPath.child('selector'), 'statefulset'));
  const read = readSelector(selector);
  if (read === undefined) errors.push(invalid(specPath.child('selector'), shownSelector(selector), ''));
  else append(errors, read.isEmpty ? [] : validateSelectorMatches(read, template, templatePath), validateTemplate(spec, options, about));
  return [...errors, ...validateEndlessPods(template, templatePath, 'StatefulSet')];
}

export function validateStatefulSetUpdate(
  spec: StatefulSetSpec,
  old: StatefulSetSpec,
  options: PodValidationOptions,
  about: StatefulSetOptions,
): FieldError[] {
  const skipTemplate = validateStatefulSetSpec(old, options, about).length > 0;
  return [
    ...validateStatefulSetSpec(spec, options, { ...about, skipTemplate }),
    ...validateSelectorUnchanged(spec.selector, old.selector, specPath.child('selector')),
    ...validateClaimsUnchanged(spec, old, about.claimType),
    ...validateImmutable(spec.serviceName ?? '', old.serviceName ?? '', specPath.child('serviceName')),
    ...validateImmutable(spec.podManagementPolicy ?? '', old.podManagementPolicy ?? '', specPath.child('podManagementPolicy')),
  ];
}

function validateManagement(policy = ''): FieldError[] {
  const path = specPath.child('podManagementPolicy');
  if (policy === '') return [required(path, '')];
  return policy === 'OrderedReady' || policy === 'Parallel'
    ? []
    : [invalid(path, typedValue(policy), "must be 'OrderedReady' or 'Parallel'")];
}

const rollingShape: InternalShape = [
  { go: 'Partition', json: 'partition', zero: 0 },
  { go: 'MaxUnavailable', json: 'maxUnavailable' },
];
const strategyShape: InternalShape = [
  { go: 'Type', json: 'type', zero: '' },
  { go: 'RollingUpdate', json: 'rollingUpdate', shape: rollingShape },
];

function validateStrategy(strategy: StatefulSetUpdateStrategy, allowRecreate: boolean): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  const path = specPath.child('updateStrategy');
  const rollingPath = path.child('rollingUpdate');
  if (type === '') return [required(path, '')];
  if (type === 'RollingUpdate') return rollingUpdate === undefined ? [] : validateRollingUpdate(rollingUpdate, rollingPath);
  if (type === 'OnDelete' || (type === 'Recreate' && allowRecreate)) {
    if (rollingUpdate === undefined) return [];
    const shown = new LiteralValue(goJson(internalForm(rollingUpdate, rollingShape)));
    return [invalid(rollingPath, shown, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  const choice = allowRecreate ? "'RollingUpdate', 'OnDelete', or 'Recreate'" : "'RollingUpdate' or 'OnDelete'";
  return [invalid(path, new LiteralValue(goJson(internalForm(strategy, strategyShape))), `must be ${choice}`)];
}

function validateRollingUpdate({ partition, maxUnavailable }: RollingUpdateStatefulSetStrategy, path: FieldPath): FieldError[] {
  const errors = validateNonNegative(partition, path.child('partition'));
  if (maxUnavailable === undefined) return errors;
  const unavailablePath = path.child('maxUnavailable');
  append(errors, validateIntOrPercent(maxUnavailable, unavailablePath));
  if (intOrPercentValue(maxUnavailable) === 0) errors.push(invalid(unavailablePath, typedValue(maxUnavailable), 'cannot be 0'));
  return [...errors, ...validateAtMostAll(maxUnavailable, unavailablePath)];
}

function validateRetention(policy: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined): FieldError[] {
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const value = policy[field] ?? '';
    const path = specPath.child('persistentVolumeClaimRetentionPolicy', field);
    return value === 'Retain' || value === 'Delete' ? [] : [notSupported(path, typedValue(value), ['Retain', 'Delete'])];
  });
}

function validateClaims({ volumeClaimTemplates = [] }: StatefulSetSpec): FieldError[] {
  const path = specPath.child('volumeClaimTemplates');
  return volumeClaimTemplates.flatMap(({ spec }, index) => validateClaimSpec(spec, path.index(index).child('spec'), newClaimOptions));
}

function validateClaimsUnchanged(spec: StatefulSetSpec, old: StatefulSetSpec, type: Type): FieldError[] {
  if (semanticDeepEqual(spec.volumeClaimTemplates, old.volumeClaimTemplates)) return [];
  const shown = asPrinted(spec, 'volumeClaimTemplates', [])
    ?.slice(0, mostShown(typeAt(type, 'spec')))
    .map(({ metadata, spec: claim, status }) => ({
      ...(internalValue(typeAt(type, 'metadata'), metadata) as object),
      Spec: internalValue(typeAt(type, 'spec'), claim),
      Status: internalValue(typeAt(type, 'status'), status),
    }));
  return [invalid(specPath.child('volumeClaimTemplates'), shown ?? null, fieldImmutableMessage)];
}

function validateTemplate(spec: StatefulSetSpec, options: PodValidationOptions, { skipTemplate }: StatefulSetOptions): FieldError[] {
  const template = asPodsWillHaveIt(spec);
  const { labels, annotations } = template.metadata ?? {};
  return [
    ...(skipTemplate ? [] : validatePodTemplateSpec(template, templatePath, options)),
    ...validateLabels(labels, templatePath.child('labels')),
    ...validateAnnotations(annotations, templatePath.child('annotations')),
    ...validatePodAnnotations(annotations, template.spec, templatePath.child('annotations'), options),
  ];
}

/** The controller decides about host name and subdomain, and each claim becomes a volume of its name. */
function asPodsWillHaveIt({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec {
  const { hostname: _, subdomain: __, ...pod } = template.spec;
  if (volumeClaimTemplates.length === 0) return { ...template, spec: pod };
  const claims = new Map<string, Volume>();
  for (const { metadata } of volumeClaimTemplates) {
    const name = metadata?.name ?? '';
    claims.set(name, { name, persistentVolumeClaim: { claimName: name } });
  }
  const volumes = [...claims.values(), ...(pod.volumes ?? []).filter(({ name }) => !claims.has(name))];
  return { ...template, spec: { ...pod, volumes } };
}

export function validateStatefulSetStatus(status: StatefulSetStatus | undefined, old: StatefulSetStatus | undefined): FieldError[] {
  return [
    ...validateCounts(
      status,
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ),
    ...validateAtMost(status, 'readyReplicas', 'replicas'),
    ...validateAtMost(status, 'currentReplicas', 'replicas'),
    ...validateAtMost(status, 'updatedReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'readyReplicas'),
    ...validateCollisions(status, old),
  ];
}
