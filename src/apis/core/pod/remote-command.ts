// Upstream: k8s.io/client-go/tools/remotecommand/{spdy,v2,v3,v4,errorstream}.go, k8s.io/client-go/transport/spdy/spdy.go
import type { IncomingResponse, Peer, StreamingClient } from '../../../base/https/streaming-client.ts';
import { hostPort } from '../../../base/https/dial.ts';
import { UnreachableError } from '../../../base/https/streaming-client.ts';
import { readBounded } from '../../../base/https/bounded-body.ts';
import type { Receive, SpdyStream } from '../../../base/spdy/connection.ts';
import { SpdyConnection } from '../../../base/spdy/connection.ts';
import type { Status } from '../../../machinery/errors.ts';
import { ApiError, internalError } from '../../../machinery/errors.ts';
import { goQuote } from '../../../machinery/go-format.ts';

/** newest first; one without a name is the oldest */
const protocols = ['v5', 'v4', 'v3', 'v2'].map((version) => `${version}.channel.k8s.io`).concat('channel.k8s.io');
/** those that say how a process ended in JSON */
const structured: ReadonlySet<string> = new Set(protocols.slice(0, 2));

/** bytes that a kubelet may take to say why it refuses, or how a process ended */
const maxSaid = 1024 * 1024;

const nonZeroExit = 'NonZeroExitCode';
const exitCode = 'ExitCode';

export type Ending = Partial<Omit<Status, 'kind' | 'apiVersion' | 'metadata'>>;
const success: Ending = Object.freeze({ status: 'Success' });

export interface RemoteCommand {
  readonly peer: Peer;
  /** path and query at the kubelet */
  readonly target: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  /** undefined: not wanted */
  readonly stdout: Receive | undefined;
  readonly stderr: Receive | undefined;
}

/** A process in a container, as long as it runs. */
export interface RunningCommand {
  readonly stdin: SpdyStream | undefined;
  readonly resize: SpdyStream | undefined;
  readonly connection: SpdyConnection;
  readonly ending: Promise<Ending>;
}

/** Asks a kubelet over SPDY. Throws an ApiError, and so may the ending. */
export async function startCommand(client: StreamingClient, command: RemoteCommand, signal: AbortSignal): Promise<RunningCommand> {
  const { peer, target } = command;
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocols };
  const answer = await client.exchange(peer, { method: 'POST', target, headers, signal }).catch((error: unknown) => {
    if (!(error instanceof UnreachableError)) throw error;
    throw internalError(`error sending request: Post "https://${hostPort(peer)}${target}": ${error.message}`, { cause: error });
  });
  if (!('response' in answer)) throw await refusal(answer);
  const version = answer.response.headers['x-stream-protocol-version'];
  return streams(new SpdyConnection(answer.socket, answer.head), command, typeof version === 'string' ? version : '');
}

function streams(connection: SpdyConnection, { stdin, stdout, stderr, tty }: RemoteCommand, version: string): RunningCommand {
  const said: Buffer[] = [];
  let saidBytes = 0;
  const open = (streamtype: string, receive: Receive = () => {}): SpdyStream => connection.open({ streamtype }, receive);
  const errors = open('error', (data) => {
    saidBytes += data.length;
    if (saidBytes <= maxSaid) said.push(Buffer.from(data));
  });
  const input = stdin ? open('stdin') : undefined;
  const outputs = [stdout && open('stdout', stdout), stderr && !tty && open('stderr', stderr)];
  // A process that takes no more input ends that stream, and waits for us to do so, too.
  void input?.ended.then(() => input.end());
  const ending = Promise.all(outputs.map((one) => one && one.ended))
    .then(() => errors.ended)
    .then(() => endingOf(Buffer.concat(said).toString(), version));
  return { connection, stdin: input, resize: tty ? open('resize') : undefined, ending };
}

async function refusal(answer: IncomingResponse): Promise<ApiError> {
  const text = (await readBounded(answer, maxSaid)).toString();
  const status = parsed<Status>(text);
  return status?.kind === 'Status' ? new ApiError(status) : internalError(`unable to upgrade connection: ${text.trim()}`);
}

/** What the error stream says when all is over; nothing: all went well. */
function endingOf(text: string, version: string): Ending {
  if (text === '') return success;
  if (!structured.has(version)) throw internalError(`error executing remote command: ${text}`);
  const said = parsed<Ending>(text);
  if (said === undefined) throw broken(`not JSON in ${goQuote(text)}`);
  if (said.status === 'Success') return success;
  if (said.status !== 'Failure') throw broken('unknown error');
  if (said.reason !== nonZeroExit) throw internalError(said.message ?? '');
  return exited(said);
}

function exited({ details }: Ending): Ending {
  if (details === undefined) throw broken('details must be set');
  const code = details.causes?.find(({ reason }) => reason === exitCode)?.message;
  if (code === undefined) throw broken(`no ${exitCode} cause given`);
  if (!/^\d+$/.test(code) || Number(code) > 255) throw broken(`invalid exit code value ${goQuote(code)}`);
  return {
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${Number(code)}`,
    reason: nonZeroExit,
    details: { causes: [{ reason: exitCode, message: String(Number(code)) }] },
  };
}

function broken(what: string): ApiError {
  return internalError(`error stream protocol error: ${what}`);
}

/** undefined: it is not JSON, and kubelets say most things in plain text. */
function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
