import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing/index.ts';
import { allCases } from './cases.ts';
import { casesOf, digestOf, Player, users } from './player.ts';
import { readRecording } from './recording.ts';

/** What a server has that was started with flags; the library has none. */
const ofCommandOnly = /^\/(?:openid|\.well-known|flagz|debug)/;

test('every place of every resource answers every method to every user as a real server does', async () => {
  const cases = allCases();
  const recorded = readRecording();
  assert.equal(digestOf(cases), recorded.cases, 'the cases have changed: npm run test:routes -- record');
  await using server = await startTestServer({ authorization: 'Node,RBAC', controllers: false });
  const { certificate: cert, key } = server.admin;
  using player = new Player({ url: server.url, ca: server.authority.certificate, cert, key });
  await player.prepare();
  const different: string[] = [];
  for (const user of users) {
    const asked = casesOf(user, cases);
    for (const [index, { verdict }] of (await player.play(user, cases)).entries()) {
      const theirs = recorded.verdicts[user][index];
      if (verdict !== theirs && !ofCommandOnly.test(asked[index]?.path ?? ''))
        different.push(`${user} ${asked[index]?.method} ${asked[index]?.path}: ${verdict}, recorded ${theirs}`);
    }
  }
  assert.deepEqual(different, []);
});
