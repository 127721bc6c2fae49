import { once } from 'node:events';
import { connect } from 'node:http2';
import * as https from 'node:https';
import { text as readAll } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { Attempt } from './identity-requests.ts';
import { expectedOf, faultOf, makeAttempt, send } from './identity-requests.ts';
import type { Identity, World } from './identity-world.ts';
import type { Random } from './random.ts';

export interface FuzzResult {
  readonly statuses: Map<number, number>;
  readonly faults: string[];
}

const maxFaults = 20;
/** one attempt that waits must not keep the others waiting */
const atOnce = 20;
type Sender = (attempt: Attempt) => Promise<{ status: number; text: string }>;

/** Sends attempts and compares each response with the table. */
export async function fuzzIdentity(
  world: World,
  random: Random,
  count: number,
  sender: Sender = (attempt) => send(world, attempt),
): Promise<FuzzResult> {
  const tokens = new Map<string, Identity | undefined>(world.tokens.map(({ text, holder }) => [text, holder]));
  const result: FuzzResult = { statuses: new Map(), faults: [] };
  const one = async (): Promise<void> => {
    const attempt = makeAttempt(world, random);
    const expected = expectedOf(attempt, tokens);
    const { status, text } = await sender(attempt);
    result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);
    const fault = faultOf(attempt, expected, status, text);
    if (fault === undefined) return;
    const { method, target, peer, lines } = attempt;
    const shown = JSON.stringify(lines.map((line) => (line.length > 60 ? `${line.slice(0, 20)}…${line.slice(-20)}` : line)));
    result.faults.push(
      `${fault.slice(0, 150)} | ${method} ${target} as ${peer.what} ${JSON.stringify(peer.shown)} | ${shown} | expected ${JSON.stringify(expected)}`,
    );
  };
  for (let sent = 0; sent < count && result.faults.length < maxFaults; sent += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - sent) }, one));
  }
  return result;
}

/** What only a server that parses bytes can be asked: names are of letters, and a path has no host. */
function isSendable({ method, target, lines }: Attempt): boolean {
  return /^[A-Z]+$/.test(method) && !['X', 'TRACE'].includes(method) && target.startsWith('/') && !lines.includes('Upgrade');
}

/** The same over HTTP/1.1. */
export function http1Sender(world: World): Sender {
  const { address, authority } = world;
  return async (attempt) => {
    if (!isSendable(attempt)) return send(world, attempt);
    const { method, target, peer, lines, body = '' } = attempt;
    const outgoing = https.request({
      host: '127.0.0.1',
      port: address.port,
      path: target,
      method,
      ca: authority.certificate,
      ...(peer.pair && { cert: peer.pair.certificate, key: peer.pair.key }),
      agent: false,
      headers: ['Host', 'localhost', 'Content-Length', `${Buffer.byteLength(body)}`, 'Connection', 'close', ...lines],
    });
    outgoing.end(Buffer.from(body));
    const [response] = (await once(outgoing, 'response')) as [Readable & { statusCode: number }];
    return { status: response.statusCode, text: await readAll(response) };
  };
}

/** The same over HTTP/2. */
export function http2Sender(world: World): Sender {
  const { address, authority } = world;
  return async (attempt) => {
    const { method, target, peer, lines, body } = attempt;
    if (!isSendable(attempt)) return send(world, attempt);
    const headers: Record<string, string[]> = {};
    for (let at = 0; at < lines.length; at += 2) (headers[(lines[at] as string).toLowerCase()] ??= []).push(lines[at + 1] as string);
    const { authorization, 'content-type': contentType, ...others } = headers;
    const own = peer.pair && { cert: peer.pair.certificate, key: peer.pair.key };
    const session = connect(`https://127.0.0.1:${address.port}`, { ca: authority.certificate, ...own });
    try {
      const stream = session.request(
        {
          ':method': method,
          ':path': target,
          // Node sends one of these at most.
          ...(authorization && { authorization: authorization[0] as string }),
          ...(contentType && { 'content-type': contentType[0] as string }),
          ...others,
        },
        { endStream: body === undefined },
      );
      if (body !== undefined) stream.end(body);
      const [answer] = (await once(stream, 'response')) as [Record<string, number>];
      return { status: answer[':status'] as number, text: await readAll(stream) };
    } finally {
      session.destroy();
    }
  };
}
