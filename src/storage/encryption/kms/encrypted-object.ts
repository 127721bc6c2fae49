// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2/{envelope.go,v2/api.proto}, k8s.io/kms/apis/v2/api.proto
import { createHash } from 'node:crypto';
import { ProtoReader, ProtoWriter } from '../../../base/grpc/protobuf.ts';
import { FieldPath, aggregateMessages } from '../../../machinery/field.ts';
import { validateFullyQualifiedDomainName } from '../../../machinery/qualified-names.ts';

/** What the plugin attaches to a key it encrypted; it gets it back when it decrypts. */
export type Annotations = ReadonlyMap<string, Buffer>;

/** How the decrypted key source becomes the key of a value. */
export const dekSourceType = Object.freeze({ aesGcmKey: 0, hkdfSeed: 1 });

/** A value at rest after the provider's prefix. */
export interface EncryptedObject extends EncryptedDek {
  readonly encryptedData: Buffer;
}

/** A data encryption key (or the seed of keys) as the plugin encrypted it. */
export interface EncryptedDek {
  readonly keyId: string;
  readonly encryptedDekSource: Buffer;
  readonly annotations: Annotations;
  readonly sourceType: number;
}

const keyIdMaxSize = 1024;
const dekSourceMaxSize = 1024;
const annotationsMaxSize = 32 * 1024;

export function encodeEncryptedObject(object: EncryptedObject): Buffer {
  const writer = new ProtoWriter(object.encryptedData.length + object.encryptedDekSource.length + 256);
  writer.bytes(1, object.encryptedData).string(2, object.keyId).bytes(3, object.encryptedDekSource);
  return writeAnnotations(writer, 4, object.annotations).int(5, object.sourceType).finish();
}

/** Throws for bytes that are no such object, and for one that breaks a rule. */
export function decodeEncryptedObject(bytes: Buffer): EncryptedObject {
  const reader = new ProtoReader(bytes);
  const annotations = new Map<string, Buffer>();
  let encryptedData = empty;
  let encryptedDekSource = empty;
  let keyId = '';
  let sourceType = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) encryptedData = reader.bytes();
    else if (field === 2) keyId = reader.string();
    else if (field === 3) encryptedDekSource = reader.bytes();
    else if (field === 4) readAnnotation(reader.message(), annotations);
    else if (field === 5) sourceType = reader.int();
    else reader.skip();
  }
  const object = { encryptedData, keyId, encryptedDekSource, annotations, sourceType };
  validateDek(object, encryptedData.length);
  return object;
}

const empty: Buffer = Buffer.alloc(0);

export function writeAnnotations(writer: ProtoWriter, field: number, annotations: Annotations): ProtoWriter {
  for (const name of [...annotations.keys()].toSorted()) {
    writer.message(field, (entry) => entry.presentBytes(1, Buffer.from(name)).presentBytes(2, annotations.get(name) as Buffer));
  }
  return writer;
}

export function readAnnotation(reader: ProtoReader, annotations: Map<string, Buffer>): void {
  let name = '';
  let value = empty;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) name = reader.string();
    else if (field === 2) value = reader.bytes();
    else reader.skip();
  }
  annotations.set(name, value);
}

/** Throws what is wrong, in upstream's words. */
export function validateDek(dek: EncryptedDek, dataLength: number): void {
  if (dek.sourceType !== dekSourceType.aesGcmKey && dek.sourceType !== dekSourceType.hkdfSeed) {
    throw new Error(`unknown encryptedDEKSourceType: ${dek.sourceType}`);
  }
  if (dataLength === 0) throw new Error('encrypted data is empty');
  const size = dek.encryptedDekSource.length;
  if (size === 0) throw new Error('failed to validate encrypted DEK source: encrypted DEK source is empty');
  if (size > dekSourceMaxSize) {
    throw new Error(
      `failed to validate encrypted DEK source: encrypted DEK source is ${size} bytes, which exceeds the max size of ${dekSourceMaxSize}`,
    );
  }
  const keyIdProblem = validateKeyId(dek.keyId);
  if (keyIdProblem !== undefined) throw new Error(`failed to validate key id: ${keyIdProblem}`);
  const annotationProblems = validateAnnotations(dek.annotations);
  if (annotationProblems.length > 0) throw new Error(`failed to validate annotations: ${aggregateMessages(annotationProblems)}`);
}

export function validateKeyId(keyId: string): string | undefined {
  const size = Buffer.byteLength(keyId);
  if (size === 0) return 'keyID is empty';
  return size > keyIdMaxSize ? `keyID is ${size} bytes, which exceeds the max size of ${keyIdMaxSize}` : undefined;
}

function validateAnnotations(annotations: Annotations): string[] {
  const problems: string[] = [];
  let total = 0;
  for (const [name, value] of annotations) {
    problems.push(...validateFullyQualifiedDomainName(name, FieldPath.root('annotations')).map(String));
    total += Buffer.byteLength(name) + value.length;
  }
  if (total > annotationsMaxSize)
    problems.push(`total size of annotations is ${total}, which exceeds the max size of ${annotationsMaxSize}`);
  return problems;
}

/** One text per distinct encrypted key: what decrypted keys are remembered by. */
export function dekFingerprint(dek: EncryptedDek): string {
  const hash = createHash('sha256');
  const part = (bytes: Buffer): void => {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  hash.update(String(dek.sourceType));
  part(dek.encryptedDekSource);
  part(Buffer.from(dek.keyId));
  for (const name of [...dek.annotations.keys()].toSorted()) {
    part(Buffer.from(name));
    part(dek.annotations.get(name) as Buffer);
  }
  return hash.digest('latin1');
}

/** Key ids may be confidential: messages show a hash. */
export function keyIdHash(keyId: string): string {
  return keyId === '' ? '' : `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
}
