import { connect as connectHttp2 } from 'node:http2';
import { readTarget } from '../support/kubeconfig.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  /** texts of Warning headers */
  readonly warning: string | undefined;
}

/** A small client for scripts: one HTTP/2 connection, JSON in and out. */
export interface ApiClient {
  request(method: string, path: string, body?: unknown, contentType?: string): Promise<ApiAnswer>;
  close(): void;
}

export function connect(kubeconfig: string): ApiClient {
  const { url, ...credentials } = readTarget(kubeconfig);
  const session = connectHttp2(url, credentials);
  return {
    request: (method, path, body, contentType = 'application/json') =>
      new Promise((resolve, reject) => {
        const stream = session.request(
          {
            ':method': method,
            ':path': path,
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': contentType }),
          },
          // a DELETE may have a body too
          { endStream: false },
        );
        const chunks: Buffer[] = [];
        let status = 0;
        let warning: string | undefined;
        stream.on('response', (headers) => {
          status = Number(headers[':status']);
          warning = headers['warning']?.toString();
        });
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status, warning, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text });
        });
        stream.on('error', reject);
        stream.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => session.close(),
  };
}
