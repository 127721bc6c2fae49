// Upstream: apimachinery/pkg/util/net/port_split.go
import { badRequest } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';

/** Whom a request to `/proxy` is for. */
export interface ProxyTarget {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

const schemes = ['', 'http', 'https'];

/** From `name`, `name:port` or `scheme:name:port`; `what` is the kind that the request is about. */
export function parseProxyTarget(what: string, id: string): ProxyTarget {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !schemes.includes(scheme)) throw badRequest(`invalid ${what} request ${goQuote(id)}`);
  return { scheme, name, port };
}
