#!/usr/bin/env node
// The `wheelhouse` command. It becomes what bin/kube-apiserver starts, which finds the best Node and a stack for deep objects; where a
// process cannot become another, the server runs right here.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('kube-apiserver', import.meta.url));
const args = process.argv.slice(2);
const [major, minor] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 15);
if (process.platform !== 'win32' && typeof process.execve === 'function') {
  process.execve('/bin/sh', ['sh', launcher, 'wheelhouse', ...args], process.env);
} else if (isNewEnough) {
  process.argv = [...process.argv.slice(0, 2), 'wheelhouse', ...args];
  await import('../dist/kube-apiserver.js');
} else if (process.platform !== 'win32') {
  // Ctrl-C goes to both; the server says what it means.
  process.on('SIGINT', () => {});
  const { status } = spawnSync('/bin/sh', [launcher, 'wheelhouse', ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.error(`wheelhouse needs Node 22.15 or newer, this is ${process.versions.node}`);
  process.exitCode = 1;
}
