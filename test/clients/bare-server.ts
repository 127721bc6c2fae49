/** A process that sends so many bytes over TLS, whatever it is asked, and does nothing else: what a response of this size costs at least. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [certificate = '', key = '', bytes = '0'] = process.argv.slice(2);
const body = Buffer.alloc(Number(bytes), 'a');
const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, ({ url }, response) =>
  response.end(url === '/version' ? '{}' : body),
);
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port));
