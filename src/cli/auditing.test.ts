import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { silentLogger } from '../base/log.ts';
import { MetricsRegistry } from '../base/metrics.ts';
import { AuditReports } from '../server/access/audit/reports.ts';
import { testEvent } from '../../test/support/audit-event.ts';
import { openAudit } from '../controlplane/auditing.ts';
import { completeConfig } from '../controlplane/config.ts';
import { auditConfig, validateAudit } from './auditing.ts';
import type { ServerOptions } from './flags/index.ts';
import { serverFlags } from './flags/index.ts';
import { parseFlags } from './parse-flags.ts';

const flagsOf = (...args: string[]): ServerOptions => parseFlags(serverFlags, args).values;

const problems: readonly (readonly [args: readonly string[], messages: readonly string[]])[] = [
  [['--audit-log-mode=x'], []],
  [['--audit-log-path=-'], []],
  [
    ['--audit-log-path=-', '--audit-log-mode=x', '--audit-log-format=y'],
    [
      'invalid audit log mode x, allowed modes are "batch,blocking,blocking-strict"',
      'invalid audit log format y, allowed formats are "legacy,json"',
    ],
  ],
  [
    ['--audit-log-path=-', '--audit-log-mode=batch', '--audit-log-batch-buffer-size=0'],
    ['invalid audit batch log buffer size 0, must be a positive number'],
  ],
  [
    ['--audit-log-path=-', '--audit-log-mode=batch', '--audit-log-batch-throttle-enable'],
    ['invalid audit batch log throttle QPS 0, must be a positive number'],
  ],
  [
    ['--audit-log-path=-', '--audit-log-maxage=-1', '--audit-log-maxsize=-2', '--audit-log-maxbackup=-3'],
    [
      "--audit-log-maxage -1 can't be a negative number",
      "--audit-log-maxbackup -3 can't be a negative number",
      "--audit-log-maxsize -2 can't be a negative number",
    ],
  ],
  [
    ['--audit-webhook-config-file=f', '--audit-webhook-batch-max-size=0', '--audit-webhook-truncate-max-event-size=0'],
    [
      'invalid audit batch webhook max batch size 0, must be a positive number',
      'invalid audit truncate webhook max event size 0, must be a positive number',
    ],
  ],
  [
    ['--audit-webhook-config-file=f', '--audit-webhook-truncate-max-batch-size=10', '--audit-webhook-version=audit.k8s.io/v1beta1'],
    [
      'invalid audit truncate webhook max batch size 10, must be greater than max event size (102400)',
      'invalid group version, allowed versions are ["audit.k8s.io/v1"]',
    ],
  ],
];

for (const [args, messages] of problems) {
  test(`${args.join(' ')}: ${messages.length === 0 ? 'nothing is wrong' : messages.join(', ')}`, () => {
    assert.deepEqual(validateAudit(flagsOf(...args)), messages);
  });
}

describe('auditing by flags', () => {
  const folder = mkdtempSync(join(tmpdir(), 'auditing-'));
  after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'audit.log');
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
  const open = (...args: string[]): ReturnType<typeof openAudit> =>
    openAudit(completeConfig({ auditing: auditConfig(flagsOf(...args)) }).auditing, {
      clock: systemClock,
      log: silentLogger,
      egress: {},
      metrics: new MetricsRegistry(),
    });
  const reports = (): AuditReports => new AuditReports(new MetricsRegistry(), silentLogger);

  test('takes a policy and a place', async () => {
    assert.equal(await open(), undefined);
    assert.equal(await open(`--audit-policy-file=${policy}`), undefined);
    assert.equal(await open(`--audit-log-path=${path}`), undefined);
    assert.ok(existsSync(path), 'the file is there all the same');
  });

  for (const mode of ['batch', 'blocking', 'blocking-strict']) {
    test(`writes lines in mode ${mode}`, async () => {
      const file = join(folder, `${mode}.log`);
      const audit = await open(
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${file}`,
        `--audit-log-mode=${mode}`,
        '--audit-log-truncate-enabled',
      );
      const backend = audit?.open(reports());
      assert.equal(await backend?.process([testEvent(), testEvent()]), true);
      await backend?.close();
      assert.equal(readFileSync(file, 'utf8').split('\n').length, 3);
    });
  }

  test('says which file it could not use', async () => {
    await assert.rejects(open('--audit-policy-file=/none', '--audit-log-path=-'), {
      message: 'loading audit policy file: failed to read file path "/none": open /none: no such file or directory',
    });
    await assert.rejects(open(`--audit-policy-file=${policy}`, '--audit-webhook-config-file=/none'), {
      message: 'initializing audit webhook: stat /none: no such file or directory',
    });
  });
});
