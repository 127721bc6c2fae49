// The strangers of strangers.ts: they have no credentials, except where they must read what they may not.
import { readFileSync } from 'node:fs';
import * as net from 'node:net';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as tls from 'node:tls';
import { RawHttp2, flags, frame, frameTypes, headerBlock, preface, settings } from '../support/http2-frames.ts';

// They stand for clients on other machines: they do not take the processors that the server needs.
setPriority(10);
const port = Number(process.argv[2]);
const pki = process.argv[3] ?? '';
const administrator = { cert: readFileSync(join(pki, 'admin.crt')), key: readFileSync(join(pki, 'admin.key')) };
const crowd = new Set<net.Socket>();
const trickles = new Set<NodeJS.Timeout>();
/** connections that flood at a time */
const width = 8;
/** bytes a flood writes at once, on each connection */
const gulp = 64 << 10;

let flooding = false;
let done: Promise<unknown> = Promise.resolve();
let sent = 0;
let opened = 0;
let cutOff = 0;

function keep(socket: net.Socket): net.Socket {
  crowd.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => crowd.delete(socket));
  return socket;
}

/** Four of five never say a word, one of ten shakes hands and is silent, one of ten sends a header line from time to time. */
async function gather(count: number): Promise<string> {
  const tally = { silent: 0, shaken: 0, slow: 0 };
  for (let index = 0; index < count; index++) {
    const kind = index % 10;
    if (kind < 8) {
      const socket = keep(net.connect(port, '127.0.0.1'));
      await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
      tally.silent++;
      continue;
    }
    const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: [kind === 8 ? 'h2' : 'http/1.1'] });
    keep(socket);
    await new Promise<void>((resolve) => socket.once('secureConnect', () => resolve()).once('close', () => resolve()));
    if (kind === 8) {
      tally.shaken++;
    } else {
      tally.slow++;
      socket.write('GET /livez HTTP/1.1\r\n');
      trickles.add(setInterval(() => socket.write('X-Slow: yes\r\n'), 1000 + index));
    }
  }
  return `${tally.silent} silent, ${tally.shaken} silent after the handshake, ${tally.slow} slow`;
}

const request = (path: string): [string, string][] => [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'localhost'],
  [':path', path],
];
const repeated = (bytes: Buffer): Buffer => Buffer.concat(Array.from({ length: Math.ceil(gulp / bytes.length) }, () => bytes));

/** What one connection does, from its opening to its end. */
type Work = (connection: RawHttp2, writing: (bytes: Buffer) => Promise<boolean>) => Promise<void>;

const repeat =
  (bytes: Buffer): Work =>
  async (_connection, write) => {
    while (await write(bytes));
  };

/** Requests that are taken back as soon as they are made. */
const takeBack: Work = async (_connection, write) => {
  const block = headerBlock(request('/api/v1/namespaces/default'));
  const cancel = Buffer.from([0, 0, 0, 8]);
  for (let stream = 1; ;) {
    const batch: Buffer[] = [];
    for (let index = 0; index < 500; index++, stream += 2) {
      batch.push(frame(frameTypes.headers, flags.endHeaders | flags.endStream, stream, block), frame(frameTypes.reset, 0, stream, cancel));
    }
    if (!(await write(Buffer.concat(batch)))) return;
  }
};

const works: Readonly<Record<string, { readonly as?: tls.ConnectionOptions; readonly first?: Buffer; readonly work: Work }>> = {
  handshakes: { work: async () => {} },
  requests: {
    work: async (connection) => {
      connection.request(1, request('/version'));
      await connection.closed;
    },
  },
  resets: { work: takeBack },
  'known-resets': { as: administrator, work: takeBack },
  settings: { work: repeat(repeated(settings([[3, 100]]))) },
  ping: { work: repeat(repeated(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)))) },
  continuation: {
    work: async (_connection, write) => {
      const part = headerBlock([['x-more', 'y'.repeat(1000)]]);
      if (!(await write(frame(frameTypes.headers, 0, 1, headerBlock(request('/')))))) return;
      while (await write(repeated(frame(frameTypes.continuation, 0, 1, part))));
    },
  },
  'window-updates': { work: repeat(repeated(frame(frameTypes.windowUpdate, 0, 0, Buffer.from([0, 0, 0, 1])))) },
  'zero-window': {
    first: Buffer.concat([preface, settings([[4, 0]])]),
    work: async (connection) => {
      for (let stream = 1; stream < 200; stream += 2) connection.request(stream, request('/api/v1/configmaps'));
      keep(connection.detach());
      await sleep(20);
    },
  },
  'never-reading': {
    as: administrator,
    work: async (connection) => {
      connection.socket.pause();
      connection.write(frame(frameTypes.windowUpdate, 0, 0, Buffer.from([0x7f, 0, 0, 0])));
      for (let stream = 1; stream < 20; stream += 2) connection.request(stream, request('/api/v1/configmaps'));
      await Promise.race([connection.closed, stop()]);
    },
  },
};

async function stop(): Promise<void> {
  while (flooding) await sleep(20);
}

async function flood(name: string): Promise<void> {
  const { as = {}, first, work } = works[name] as (typeof works)[string];
  while (flooding) {
    try {
      using connection = await RawHttp2.open(port, as, first);
      connection.socket.setMaxListeners(0);
      opened++;
      const write = async (bytes: Buffer): Promise<boolean> => {
        const { socket } = connection;
        if (!flooding || socket.destroyed) return false;
        sent += bytes.length;
        if (connection.frames.length > 1000) connection.frames.splice(0);
        const room = connection.write(bytes);
        if (!room) await Promise.race([new Promise<void>((resolve) => socket.once('drain', resolve)), connection.closed]);
        else await sleep(0);
        return !socket.destroyed && flooding;
      };
      await work(connection, write);
      if (flooding) cutOff++;
    } catch {
      await sleep(10); // refused, or cut off while shaking hands: the next try may do better
    }
  }
}

async function obey(command: string, argument: unknown): Promise<unknown> {
  switch (command) {
    case 'crowd':
      return gather(Number(argument));
    case 'flood':
      flooding = true;
      sent = opened = cutOff = 0;
      done = Promise.all(Array.from({ length: width }, () => flood(String(argument))));
      return 'begun';
    case 'calm':
      flooding = false;
      await done;
      return `${opened} connections, ${cutOff} of them ended by the server, ${Math.round(sent / 1e6)} MB sent`;
    case 'disperse':
      for (const trickle of trickles) clearInterval(trickle);
      for (const socket of crowd) socket.destroy();
      return 'gone';
    default:
      throw new Error(`unknown command ${command}`);
  }
}

process.on('message', ({ command, argument }: { command: string; argument: unknown }) => {
  void obey(command, argument).then((answer) => process.send?.(answer));
});
