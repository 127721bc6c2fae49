// Upstream: k8s.io/apiserver/pkg/util/proxy/{streamtranslator,websocket}.go, k8s.io/streaming/pkg/httpstream/wsstream/conn.go
import type { WebSocket } from 'ws';
import type { StreamingClient } from '../../../base/https/streaming-client.ts';
import type { SpdyStream } from '../../../base/spdy/connection.ts';
import { statusOf } from '../../../machinery/errors.ts';
import type { Request } from '../../../server/http/request.ts';
import type { Response } from '../../../server/http/response.ts';
import { acceptWebSocket, offeredProtocols } from '../../../server/http/web-socket.ts';
import type { Ending, RemoteCommand, RunningCommand } from './remote-command.ts';
import { startCommand } from './remote-command.ts';

const protocol = 'v5.channel.k8s.io';
/** the first byte of a message; the last of them closes the channel that the second byte names */
const channels = Object.freeze({ stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 });
const normalClosure = 1000;
/** bytes that may wait for a slow client */
const maxWaiting = 1 << 20;

export interface TranslatedCommand extends Pick<RemoteCommand, 'peer' | 'target' | 'stdin' | 'tty'> {
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** The client speaks the newest form of remote commands, which kubelets that do not say otherwise do not. */
export function wantsTranslation(request: Request): boolean {
  return offeredProtocols(request).includes(protocol);
}

/** WebSocket to the client, SPDY to the kubelet. `ended` is called with the status code of how the command ended. */
export function translate(
  client: StreamingClient,
  request: Request,
  command: TranslatedCommand,
  ended: (code: number) => void,
): Promise<Response> {
  return acceptWebSocket(
    request,
    () => protocol,
    (webSocket) => void new Translation(webSocket, command).run(client).then(ended),
  );
}

class Translation {
  readonly #webSocket: WebSocket;
  readonly #command: TranslatedCommand;
  readonly #gone = new AbortController();
  /** what the client said before the kubelet was there */
  readonly #early: Buffer[] = [];
  #running: RunningCommand | undefined;

  constructor(webSocket: WebSocket, command: TranslatedCommand) {
    this.#webSocket = webSocket;
    this.#command = command;
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('close', () => this.#leave());
    webSocket.on('message', (data: Buffer) => {
      if (this.#running !== undefined) return this.#take(this.#running, data);
      this.#early.push(data);
      // the client waits until the kubelet is there
      webSocket.pause();
    });
  }

  /** Returns a status code. A command that has run may end with any exit code. */
  async run(client: StreamingClient): Promise<number> {
    const { stdout, stderr } = this.#command;
    // Tells the client that the connection stands.
    this.#send(stdout ? channels.stdout : stderr ? channels.stderr : channels.error, Buffer.alloc(0));
    const { status, message, reason, details, code } = await this.#ending(client).catch((error: unknown): Ending => statusOf(error));
    this.#send(channels.error, Buffer.from(JSON.stringify({ metadata: {}, status, message, reason, details, code })));
    this.#webSocket.close(normalClosure);
    this.#running?.connection.close();
    return code ?? 200;
  }

  async #ending(client: StreamingClient): Promise<Ending> {
    const { stdout, stderr } = this.#command;
    const started = await startCommand(
      client,
      {
        ...this.#command,
        stdout: stdout ? (data) => this.#send(channels.stdout, data) : undefined,
        stderr: stderr ? (data) => this.#send(channels.stderr, data) : undefined,
      },
      this.#gone.signal,
    );
    this.#running = started;
    this.#webSocket.resume();
    for (const message of this.#early.splice(0)) this.#take(started, message);
    if (this.#gone.signal.aborted) this.#leave();
    return started.ending;
  }

  #send(channel: number, data: Uint8Array): void {
    const socket = this.#webSocket;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(Buffer.concat([Buffer.of(channel), data]), { binary: true }, () => this.#running?.connection.resume());
    if (socket.bufferedAmount > maxWaiting) this.#running?.connection.pause();
  }

  #take(running: RunningCommand, message: Buffer): void {
    const [channel, second] = message;
    if (channel === channels.close) {
      if (second === channels.stdin) running.stdin?.end();
    } else if (channel === channels.stdin) this.#pass(running, running.stdin, message.subarray(1));
    else if (channel === channels.resize) this.#pass(running, running.resize, Buffer.concat([message.subarray(1), Buffer.from('\n')]));
  }

  #pass({ connection }: RunningCommand, stream: SpdyStream | undefined, data: Buffer): void {
    if (stream === undefined || data.length === 0 || stream.write(data)) return;
    this.#webSocket.pause();
    connection.drained(() => this.#webSocket.resume());
  }

  /** The process sees the end of its input; there is no reader of its output. */
  #leave(): void {
    this.#gone.abort();
    this.#running?.connection.close();
  }
}
