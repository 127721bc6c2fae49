// Upstream: k8s.io/kubernetes/pkg/apis/storage/validation/validation.go#ValidateVolumeAttachment
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, forbidden, invalid, required, tooLong } from '../../../machinery/field.ts';
import { checkDns1123Subdomain, nameIsDnsSubdomain, rangeMessage } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { VolumeAttachment, VolumeAttachmentSource, VolumeAttachmentStatus, VolumeError } from '../../../schema/types/storage-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';
import { validateInlineVolumeSpec } from '../../common/persistent-volume-spec/validation.ts';

export type VolumeAttachmentObject = VolumeAttachment & KubeObject;

const specPath = Path.root('spec');
const sourcePath = specPath.child('source');
const statusPath = Path.root('status');
const maxAttacherBytes = 63;
const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;
const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

export function validate({ spec, status }: VolumeAttachmentObject): FieldError[] {
  const { attacher, nodeName, source } = spec;
  const name = source.persistentVolumeName;
  return [
    ...validateAttacher(attacher, specPath.child('attacher')),
    ...validateSource(source),
    ...nameIsDnsSubdomain(nodeName, false).map((problem) => invalid(specPath.child('nodeName'), nodeName, problem)),
    ...validateStatus(status),
    ...(name === undefined
      ? []
      : nameIsDnsSubdomain(name, false).map((problem) => invalid(sourcePath.child('persistentVolumeName'), name, problem))),
  ];
}

/** A volume that goes elsewhere is another attachment. */
export function validateUpdate(attachment: VolumeAttachmentObject, old: VolumeAttachmentObject, { reader }: WriteContext): FieldError[] {
  const errors = [...validateMetadata(attachment.metadata, false), ...validate(attachment)];
  const type = typeAt(reader.resource('storage.k8s.io', 'volumeattachments').storage.type, 'spec');
  if (semanticDeepEqual(attachment.spec, old.spec, type)) return errors;
  return [...errors, invalid(specPath, internalValue(type, attachment.spec), fieldImmutableMessage).withOrigin('immutable')];
}

function validateAttacher(attacher: string, path: FieldPath): FieldError[] {
  if (attacher === '') return [required(path, '')];
  const errors = Buffer.byteLength(attacher) > maxAttacherBytes ? [tooLong(path, maxAttacherBytes).withOrigin('maxLength')] : [];
  const problems = checkDns1123Subdomain(attacher.toLowerCase());
  return [...errors, ...problems.map((problem) => invalid(path, attacher, problem).withOrigin('format=k8s-long-name-caseless'))];
}

function validateSource({ inlineVolumeSpec: inline, persistentVolumeName: name }: VolumeAttachmentSource): FieldError[] {
  if (inline === undefined) {
    if (name === undefined) return [required(sourcePath, oneSource)];
    return name === '' ? [required(sourcePath.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')] : [];
  }
  return name === undefined ? validateInlineVolumeSpec(inline, sourcePath.child('inlineVolumeSpec')) : [forbidden(sourcePath, oneSource)];
}

function validateStatus(status: VolumeAttachmentStatus | undefined): FieldError[] {
  const { attachmentMetadata = {}, attachError, detachError } = status ?? {};
  const size = Object.entries(attachmentMetadata).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...(size > maxMetadataBytes ? [tooLong(statusPath.child('attachmentMetadata'), maxMetadataBytes)] : []),
    ...validateError(attachError, statusPath.child('attachError')),
    ...validateError(detachError, statusPath.child('detachError')),
  ];
}

function validateError(error: VolumeError | undefined, path: FieldPath): FieldError[] {
  const { message = '', errorCode = 0 } = error ?? {};
  return [
    ...(Buffer.byteLength(message) > maxMessageBytes ? [tooLong(path.child('message'), maxMessageBytes)] : []),
    ...(errorCode < 0 ? [invalid(path.child('errorCode'), errorCode, rangeMessage(0, 2 ** 31 - 1))] : []),
  ];
}
