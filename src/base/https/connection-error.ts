// Upstream: std/net#dial.go, #net.go, std/net/http#transport.go
import { getServers } from 'node:dns';

/** What errors of the operating system are called. */
const systemErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  EPIPE: 'broken pipe',
};

/** The server does not speak TLS. */
const notTls: ReadonlySet<string> = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO']);

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** Why a connection failed, in the words that operators of upstream know. */
export function describeConnectionError(error: Error): string {
  // A name with several addresses: the first one's failure is reported.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return describeConnectionError(error.errors[0]);
  const { code = '', syscall, address = '', port = 0, hostname = '' } = error as SystemError;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}${nameServer()}: no such host`;
  const text = systemErrors[code];
  if (text !== undefined && syscall === 'connect') return `dial tcp ${hostPort(address, port)}: connect: ${text}`;
  if (code === 'ECONNRESET' && syscall === undefined) return 'EOF';
  if (text !== undefined && syscall !== undefined) return `${syscall}: ${text}`;
  if (notTls.has(code)) return 'http: server gave HTTP response to HTTPS client';
  return error.message;
}

function nameServer(): string {
  const [server] = getServers();
  return server === undefined ? '' : ` on ${hostPort(server, 53)}`;
}

function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
