import { describeKind, send } from '../../../../test/support/kind-suite.ts';

const path = '/api/v1/nodes';
const node = (name: string, address: string): object => ({ metadata: { name }, status: { addresses: [{ type: 'Hostname', address }] } });

describeKind('the proxy of a Node', {
  path,
  cases: ['', ' ', 'a/b', '-a', 'a..b', '1.2.3', 'a'.repeat(64)].map((address, index) => [
    `asks no name server for ${JSON.stringify(address)}`,
    [send('POST', path, node(`n${index}`, address)), send('GET', `${path}/n${index}/proxy/pods`)],
    { status: 400, message: `lookup ${address}: no such host` },
  ]),
});
