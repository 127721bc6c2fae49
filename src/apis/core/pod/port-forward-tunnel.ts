// Upstream: k8s.io/apiserver/pkg/util/proxy/streamtunnel.go, k8s.io/client-go/tools/portforward/tunneling_connection.go
import type { Peer, StreamingClient } from '../../../base/https/streaming-client.ts';
import type { Request } from '../../../server/http/request.ts';
import type { Response } from '../../../server/http/response.ts';
import { textResponse } from '../../../server/http/response.ts';
import { acceptWebSocket, offeredProtocols } from '../../../server/http/web-socket.ts';
import { dialUpgrade } from '../../../server/proxy/forward.ts';
import { join } from '../../../server/proxy/passing.ts';

const prefix = 'SPDY/3.1+';
const suffix = '.k8s.io';
const normalClosure = 1000;

export interface Tunnel {
  readonly peer: Peer;
  /** path and query at the kubelet */
  readonly target: string;
  /** called with the status code of how it began */
  readonly began: (code: number) => void;
}

/** The client wants to speak SPDY in the messages of a WebSocket. */
export function wantsTunnel(request: Request): boolean {
  return tunneledProtocols(request).length > 0;
}

function tunneledProtocols(request: Request): string[] {
  const tunneled = offeredProtocols(request).filter((one) => one.startsWith(prefix) && one.endsWith(suffix));
  return tunneled.map((one) => one.slice(prefix.length));
}

/** The kubelet speaks plain SPDY; what it says is not looked at. */
export async function tunnel(client: StreamingClient, request: Request, { peer, target, began }: Tunnel): Promise<Response> {
  const answer = await dialUpgrade(client, request, peer, target, {
    method: 'POST',
    headers: {
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': tunneledProtocols(request),
      'sec-websocket-key': undefined,
      'sec-websocket-protocol': undefined,
      'sec-websocket-version': undefined,
    },
  });
  if ('status' in answer) {
    began(answer.status);
    return answer;
  }
  const { response, socket: kubelet, head } = answer;
  const { upgrade = '', 'x-stream-protocol-version': spoken } = response.headers;
  if (!upgrade.toLowerCase().includes('spdy/3.1')) {
    kubelet.destroy();
    began(500);
    return textResponse(500, 'unable to upgrade: missing upgrade headers in response\n');
  }
  const { createWebSocketStream } = await import('ws');
  const choose = (): string | undefined => (typeof spoken === 'string' ? `${prefix}${spoken.trim()}` : undefined);
  return acceptWebSocket(request, choose, (webSocket) => {
    began(101);
    kubelet.once('end', () => webSocket.close(normalClosure));
    const stream = createWebSocketStream(webSocket);
    stream.write(head);
    join(stream, kubelet);
  });
}
