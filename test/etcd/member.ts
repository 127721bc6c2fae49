/** A server on an etcd, as a process that can be killed: `member.ts ENDPOINT ADVERTISED-ADDRESS`. Says `ready` when it is. */
import { startApiServer } from '../../src/index.ts';

const [endpoint = '', advertiseAddress = ''] = process.argv.slice(2);
await startApiServer({ storage: { etcd: { endpoints: [endpoint] } }, controllers: false, serving: { advertiseAddress } });
console.log('ready');
