import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageTag } from './image-name.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const cases: readonly (readonly [image: string, tag: string | undefined])[] = [
  ['nginx', 'latest'],
  ['nginx:1.2', '1.2'],
  ['registry.example.com/app:1.0', '1.0'],
  ['registry.example.com:5000/app', 'latest'],
  ['localhost/app', 'latest'],
  ['library/nginx:latest', 'latest'],
  [`nginx@${digest}`, undefined],
  [`nginx:1.2@${digest}`, '1.2'],
  ['', undefined],
  ['UPPER', undefined],
  ['UPPER/app', 'latest'],
  ['a b', undefined],
  ['a'.repeat(64), undefined],
];

for (const [image, tag] of cases) {
  test(`imageTag(${JSON.stringify(image)}) is ${tag}`, () => {
    assert.equal(imageTag(image), tag);
  });
}
