// npm run test:routes -- record KUBECONFIG [FILE]    asks a fresh real server, as administrator, and keeps its responses
// npm run test:routes -- compare KUBECONFIG [FILE]   asks any server and shows where its responses differ
// FILE: all responses in full as JSON lines, to see what a difference is about. The server must have Node,RBAC and NodeRestriction, and
// should have no limit on requests in flight.
import { writeFileSync } from 'node:fs';
import { readTarget } from '../support/kubeconfig.ts';
import { allCases } from './cases.ts';
import type { Answer, User } from './player.ts';
import { casesOf, digestOf, Player, users } from './player.ts';
import { readRecording, writeRecording } from './recording.ts';

const [mode, kubeconfig, full] = process.argv.slice(2);
if ((mode !== 'record' && mode !== 'compare') || kubeconfig === undefined) {
  console.error('usage: npm run test:routes -- record|compare KUBECONFIG [FILE]');
  process.exit(2);
}
const cases = allCases();
using player = new Player(readTarget(kubeconfig));
await player.prepare();
const answers = new Map<User, Answer[]>();
for (const user of users) answers.set(user, await player.play(user, cases));
if (full !== undefined) {
  const lines = users.flatMap((user) =>
    casesOf(user, cases).map((one, index) => JSON.stringify({ user, ...one, ...answers.get(user)?.[index] })),
  );
  writeFileSync(full, lines.join('\n'));
}
const verdicts = Object.fromEntries(users.map((user) => [user, answers.get(user)?.map(({ verdict }) => verdict) ?? []])) as Record<
  User,
  string[]
>;
if (mode === 'record') {
  writeRecording({ cases: digestOf(cases), verdicts });
  console.log(`${cases.length} requests as each of ${users.length} users recorded`);
} else {
  const recorded = readRecording();
  if (recorded.cases !== digestOf(cases)) throw new Error('the recording is of other cases');
  let [asked, different] = [0, 0];
  for (const user of users) {
    for (const [index, { method, path }] of casesOf(user, cases).entries()) {
      asked++;
      const [ours, theirs] = [verdicts[user][index], recorded.verdicts[user][index]];
      if (ours === theirs) continue;
      different++;
      console.log(`${user} ${method} ${path}: ${ours}, recorded ${theirs}`);
    }
  }
  console.log(`${asked} requests, ${different} differ`);
  process.exitCode = different === 0 ? 0 : 1;
}
