/**
 * A body that upstream's codec reads and nothing after it can work with: bytes that are no JSON where any JSON may stand. Upstream
 * panics, which ends the request without a response; a fault kept.
 */
export class UnusableBodyError extends Error {
  override readonly name = 'UnusableBodyError';
}

/** A body that a codec cannot read. The message is upstream's, ready for the client; callers add what they were doing. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}
