/**
 * npm run test:etcd-server [-- --operations N] [--seed N] [--rounds N]    our etcd beside a real one: random operations to both, etcdctl on
 * both, kill -9. Needs etcd (found or built as for test:etcd) and etcdctl (npm run programs -- etcdctl).
 */
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { compareCommands } from './etcdctl.ts';
import { compareEtcds } from './differential.ts';
import { killRounds } from './kill.ts';
import { ourEtcd } from './our-etcd.ts';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '25' },
  },
});
let failures = 0;

{
  await using ours = await EtcdProcess.start({ binary: ourEtcd });
  await using theirs = await EtcdProcess.start();
  const differences = await compareEtcds(ours.endpoint, theirs.endpoint, Number(values.seed), Number(values.operations));
  for (const { what, ours: mine, theirs: its } of differences)
    console.log(`${what}\n  ours   ${JSON.stringify(mine)}\n  theirs ${JSON.stringify(its)}`);
  console.log(`${values.operations} operations and 40 watches, seed ${values.seed}: ${differences.length} differ`);
  failures += differences.length;
}
{
  await using ours = await EtcdProcess.start({ binary: ourEtcd });
  await using theirs = await EtcdProcess.start();
  const { compared, different } = await compareCommands(ours.endpoint, theirs.endpoint);
  for (const line of different) console.log(line);
  console.log(`etcdctl: ${compared} commands on both, ${different.length} differ`);
  failures += different.length;
}
const lost = await killRounds(Number(values.rounds), (line) => console.log(line));
failures += lost;
process.exitCode = failures === 0 ? 0 : 1;
