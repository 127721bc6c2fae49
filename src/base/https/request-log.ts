// Upstream: k8s.io/client-go/transport/round_trippers.go#DebugByContext, k8s.io/client-go/rest/request.go#logBody, #truncateBody
import type { LogFields, Logger } from '../log.ts';
import type { HttpsRequest, HttpsResponse } from './https-client.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Logs a request of this server to another, and the response: from verbosity 6 on that it was made, then headers, from 8 on bodies. */
export async function logExchange(log: Logger, request: HttpsRequest, send: () => Promise<HttpsResponse>): Promise<HttpsResponse> {
  const level = [9, 8, 7, 6].find((one) => log.v(one) !== undefined);
  if (level === undefined) return send();
  const lines = log.v(level) as Logger;
  const { method, url, headers = {}, body } = request;
  const about = { verb: method, url: url.href };
  logBody(log, 'Request Body', body === undefined ? Buffer.alloc(0) : Buffer.from(body));
  if (level >= 9) lines.info('Request', { curlCommand: curlCommand(request) });
  else if (level >= 7) lines.info('Request', { ...about, headers: headerText(headers) });
  const started = performance.now();
  const answered = (status: string, received: Headers): void => {
    const milliseconds = Math.floor(performance.now() - started);
    const fields: LogFields = {
      ...(level === 7 || level === 8 ? {} : about),
      status,
      ...(level >= 8 && { headers: headerText(received) }),
      milliseconds,
    };
    lines.info('Response', fields);
  };
  let response: HttpsResponse;
  try {
    response = await send();
  } catch (error) {
    answered('', {});
    throw error;
  }
  answered(`${response.status} ${process.getBuiltinModule('node:http').STATUS_CODES[response.status] ?? ''}`.trimEnd(), response.headers);
  logBody(log, 'Response Body', response.body);
  return response;
}

function logBody(log: Logger, message: string, body: Buffer): void {
  const lines = log.v(8);
  if (lines === undefined) return;
  const isText = !body.some((byte) => byte < 0x0a);
  const most = log.v(10) !== undefined ? Infinity : log.v(9) !== undefined ? 10_240 : 1024;
  const text = isText ? body.toString() : hexDump(body, most);
  lines.info(message, { body: text.length <= most ? text : `${text.slice(0, most)} [truncated ${text.length - most} chars]` });
}

/** 16 bytes a line, with their place before and what of it can be read behind. */
function hexDump(body: Buffer, most: number): string {
  let dump = '';
  for (let at = 0; at < body.length && dump.length <= most; at += 16) {
    const bytes = [...body.subarray(at, at + 16)];
    const cells = bytes.map((byte, index) => byte.toString(16).padStart(2, '0') + (index === 7 ? '  ' : ' '));
    const shown = bytes.map((byte) => (byte >= 32 && byte <= 126 ? String.fromCharCode(byte) : '.')).join('');
    dump += `${at.toString(16).padStart(8, '0')}  ${cells.join('').padEnd(50)}|${shown}|\n`;
  }
  return dump;
}

/** In the order of their names, one a line. */
function headerText(headers: Headers): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => {
    const values = value === undefined ? [] : typeof value === 'string' ? [value] : value;
    return values.map((one) => `${canonicalName(name)}: ${masked(name, one)}\n`);
  });
  return lines.toSorted().join('');
}

function canonicalName(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** Who this server is stays out of the log; how it says so does not. */
function masked(name: string, value: string): string {
  if (name.toLowerCase() !== 'authorization' || value === '') return value;
  const [type = ''] = value.split(' ', 1);
  return /^(?:bearer|basic|negotiate)$/i.test(type) ? (value.length > type.length ? `${type} <masked>` : type) : '<masked>';
}

function curlCommand({ method, url, headers = {} }: HttpsRequest): string {
  const shown = Object.entries(headers).map(([name, value]) => ` -H ${JSON.stringify(`${canonicalName(name)}: ${masked(name, value)}`)}`);
  return `curl -v -X${method} ${shown.join('')} '${url.href}'`;
}
