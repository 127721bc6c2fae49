import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import { distrust } from './certificate-check.ts';
import type { DialAddress } from './dial.ts';
import type { SecureContexts, Trust } from './secure-contexts.ts';

export class DistrustedError extends Error {
  override readonly name = 'DistrustedError';
}

export interface SecureTarget extends DialAddress, Trust {
  /** a connection to the address, when there is one already */
  readonly socket?: Duplex;
  /** name or IP address that the certificate must be for */
  readonly serverName: string;
  /** that the server may choose from, best first */
  readonly protocols: readonly string[];
}

/** Starts TLS. Calls back once the server is known to be the one that was asked for, or with why it cannot be reached or trusted. */
export function secureConnection(
  target: SecureTarget,
  contexts: SecureContexts,
  now: () => number,
  done: (error?: Error) => void,
): TLSSocket {
  const { host, port, serverName, authorities, insecure } = target;
  const socket = connect({
    host,
    port,
    ...(target.socket !== undefined && { socket: target.socket }),
    ALPNProtocols: [...target.protocols],
    secureContext: contexts.of(target),
    // SNI must not carry an IP address; the certificate is verified against it all the same.
    servername: isIP(serverName) === 0 ? serverName : '',
    // It is verified below, where more can be said about what is wrong.
    rejectUnauthorized: false,
  });
  socket.once('error', done);
  socket.once('secureConnect', () => {
    socket.off('error', done);
    const reason = insecure ? undefined : distrust(socket, { serverName, authorities, now: new Date(now()) });
    if (reason === undefined) return done();
    socket.destroy();
    done(new DistrustedError(reason));
  });
  return socket;
}
