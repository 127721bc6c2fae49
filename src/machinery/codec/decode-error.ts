/** A body that a codec cannot read. The message is upstream's, ready for the client; callers add what they were doing. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
