import { connect } from 'node:net';
import type { NetConnectOpts, Socket } from 'node:net';
import { ownBytes } from '../own-bytes.ts';

const readSize = 64 << 10;

/**
 * A connection without TLS that reads into a buffer of its own. Node has one for all sockets of the process and gives it up with each read of such a
 * connection: the next read of a TLS connection then begins 64 KB anew, which made the engine collect the garbage of the whole heap all the time.
 */
export function connectPlain(address: NetConnectOpts): Socket {
  let buffer = Buffer.allocUnsafeSlow(readSize);
  const socket: Socket = connect({
    ...address,
    noDelay: true,
    onread: {
      buffer: () => buffer,
      callback: (count) => {
        const piece = buffer.subarray(0, count);
        // What was read is not written over: little is copied, much is handed on as it is.
        if (count <= readSize >> 1) return socket.push(ownBytes(piece));
        buffer = Buffer.allocUnsafeSlow(readSize);
        return socket.push(piece);
      },
    },
  });
  return socket;
}
