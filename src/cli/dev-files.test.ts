import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { prepareDevFiles } from './dev-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'dev-files-'));
after(() => rmSync(folder, { recursive: true }));
const addresses = ['127.0.0.1', '::1'];

test('the first start makes everything and the second finds it', () => {
  const first = prepareDevFiles(folder, addresses);
  assert.equal(first.made.length, 8);
  assert.equal(statSync(first.tokenKeys.private).mode & 0o777, 0o600);
  assert.deepEqual(prepareDevFiles(folder, addresses).made, []);
});

test('a kubeconfig is written only when asked for, and is for the owner alone', () => {
  const files = prepareDevFiles(folder, addresses);
  assert.ok(!existsSync(files.kubeconfig));
  files.writeKubeconfig('https://127.0.0.1:6443');
  assert.match(readFileSync(files.kubeconfig, 'utf8'), /server: https:\/\/127\.0\.0\.1:6443\n/);
  assert.equal(statSync(files.kubeconfig).mode & 0o777, 0o600);
});

test('another address makes a new serving certificate', () => {
  const { made, serving } = prepareDevFiles(folder, [...addresses, '192.0.2.1']);
  assert.deepEqual(made, [serving.certificate, serving.key]);
  assert.equal(new X509Certificate(readFileSync(serving.certificate)).checkIP('192.0.2.1'), '192.0.2.1');
});

test('certificates that end soon are made anew by the same authority', () => {
  const authority = readFileSync(join(folder, 'pki/ca.crt'), 'utf8');
  const later = prepareDevFiles(folder, addresses, Date.now() + 340 * 24 * 3600 * 1000);
  assert.ok(later.made.includes(later.serving.certificate));
  assert.equal(readFileSync(later.authority, 'utf8'), authority);
});
