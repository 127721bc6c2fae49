/** The proxy was reached, and did not make the connection that it was asked for. Any other error: it was not reached. */
export class ProxyStageError extends Error {
  override readonly name = 'ProxyStageError';
}
