import type { Handler, Response } from '../http/response.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { UnreadBodies } from './unread-body.ts';

/** Of requests that change nothing. */
export const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/**
 * Calls `begun` when there is a response and `ended` when it has been sent: a body that is made while it is sent takes its time. With `unread`
 * that is over as well when its client does not read.
 */
export function serve(
  next: Handler<AuthenticatedRequest>,
  request: AuthenticatedRequest,
  begun: () => void,
  ended: () => void,
  unread?: UnreadBodies,
): ReturnType<Handler> {
  const answered = (response: Response): Response => {
    begun();
    const { body } = response;
    if (typeof body !== 'function' || request.method === 'HEAD') {
      ended();
      return response;
    }
    // A client that has gone, or whose request timed out, is sent nothing: the body is never asked for.
    let isOver = false;
    const over = (): void => {
      if (!isOver) ended();
      isOver = true;
    };
    const { signal } = request;
    if (signal.aborted) over();
    else signal.addEventListener('abort', over, { once: true });
    return { ...response, body: (sink) => unread?.send(body, sink, over) ?? body(sink).finally(over) };
  };
  const failed = (error: unknown): never => {
    begun();
    ended();
    throw error;
  };
  let answer: ReturnType<Handler>;
  try {
    answer = next(request);
  } catch (error) {
    return failed(error);
  }
  return answer instanceof Promise ? answer.then(answered, failed) : answered(answer);
}
