// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePersistentVolumeClaim
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath as Path, forbidden, invalid, typedValue } from '../../../machinery/field.ts';
import { deepCopy } from '../../../machinery/deep-copy.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { typeAt } from '../../common/internal-value.ts';
import { newClaimOptions, validateClaimSpec } from '../../common/persistent-volume-claim-spec.ts';
import { betaClassAnnotation } from '../../common/volume-columns.ts';
import { internalSpecDiff } from './internal-spec.ts';
import { mayRecover } from './status-validation.ts';

type Claim = PersistentVolumeClaim & KubeObject;

const specPath = Path.root('spec');

export function validate({ spec }: Claim): FieldError[] {
  return validateClaimSpec(spec, specPath, newClaimOptions);
}

export function validateUpdate(claim: Claim, old: Claim, context: WriteContext): FieldError[] {
  const options = {
    ...newClaimOptions,
    // A quirk kept: any group will do, where there was one.
    allowInvalidApiGroupInDataSource: [old.spec.dataSource, old.spec.dataSourceRef].some((source) => typeof source?.apiGroup === 'string'),
    allowInvalidLabelValueInSelector: validateLabelSelector(old.spec.selector, specPath).length > 0,
  };
  return [
    ...validateMetadata(claim.metadata, true),
    ...validateClaimSpec(claim.spec, specPath, options),
    ...validateImmutableSpec(claim, old, context),
    ...validateSize(claim, old, context),
    ...(claim.spec.volumeMode === old.spec.volumeMode
      ? []
      : [invalid(Path.root('volumeMode'), typedValue(claim.spec.volumeMode ?? null), fieldImmutableMessage)]),
    ...validateAttributesClass(claim, old, context),
  ];
}

/** A claim is a contract: only what the controller fills in, the size and the attributes of a bound claim may change. */
function validateImmutableSpec(claim: Claim, old: Claim, { reader }: WriteContext): FieldError[] {
  const changed: PersistentVolumeClaimSpec = deepCopy(claim.spec);
  const before: PersistentVolumeClaimSpec = deepCopy(old.spec);
  const errors: FieldError[] = [];
  if (!before.volumeName && changed.volumeName !== undefined) before.volumeName = changed.volumeName;

  const oldClass = old.metadata.annotations?.[betaClassAnnotation];
  const newClass = claim.metadata.annotations?.[betaClassAnnotation];
  const movedFromAnnotation =
    oldClass !== undefined &&
    before.storageClassName === undefined &&
    changed.storageClassName === oldClass &&
    (newClass === undefined || newClass === oldClass);
  if (movedFromAnnotation) delete changed.storageClassName;
  else {
    if ((oldClass ?? '') !== (newClass ?? '')) {
      errors.push(invalid(Path.root('metadata', 'annotations', betaClassAnnotation), newClass ?? '', fieldImmutableMessage));
    }
    const named = before.storageClassName === undefined && (oldClass === undefined || changed.storageClassName === oldClass);
    if (named) delete changed.storageClassName;
  }
  if (claim.status.phase === 'Bound') {
    const size = before.resources.requests?.['storage'];
    if (changed.resources.requests !== undefined && size !== undefined) changed.resources.requests['storage'] = size;
    if (before.volumeAttributesClassName === undefined) delete changed.volumeAttributesClassName;
    else changed.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  const specType = typeAt(reader.resource('', 'persistentvolumeclaims').storage.type, 'spec');
  if (!semanticDeepEqual(before, changed, specType)) {
    const detail = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(forbidden(specPath, `${detail}\n${internalSpecDiff(before, changed, specType)}`));
  }
  return errors;
}

/** A claim may shrink only to undo a growth that failed. */
function validateSize({ spec }: Claim, old: Claim, { features }: WriteContext): FieldError[] {
  const size = Quantity.parse(spec.resources.requests?.['storage'] ?? '0');
  if (size.compare(Quantity.parse(old.spec.resources.requests?.['storage'] ?? '0')) >= 0) return [];
  const path = specPath.child('resources', 'requests', 'storage');
  if (!mayRecover(old, features)) return [forbidden(path, 'field can not be less than previous value')];
  const actual = Quantity.parse(old.status.capacity?.['storage'] ?? '0');
  return size.compare(actual) <= 0 ? [forbidden(path, 'field can not be less than status.capacity')] : [];
}

function validateAttributesClass({ spec }: Claim, old: Claim, { features }: WriteContext): FieldError[] {
  const name = spec.volumeAttributesClassName;
  if (name === old.spec.volumeAttributesClassName) return [];
  const path = specPath.child('volumeAttributesClassName');
  const errors: FieldError[] = [];
  if (!features.enabled('VolumeAttributesClass')) {
    errors.push(forbidden(path, 'update is forbidden when the VolumeAttributesClass feature gate is disabled'));
  }
  if (old.status.currentVolumeAttributesClassName === undefined || name) return errors;
  const to = name === undefined ? 'nil' : 'empty string';
  return [...errors, forbidden(path, `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`)];
}
