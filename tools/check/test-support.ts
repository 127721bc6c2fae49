import { basename } from 'node:path';
import type { Rule } from './sources.ts';

const supportName = /^(?:test|fake|mock|stub)-|-(?:fake|mock|stub|fixture|harness)\.ts$/;
const testModule = /^node:(?:test|assert)(?:\/|$)/;

/** What only tests need lies in test/support, where nothing that ships can import it. */
export const testSupportApart: Rule = function* (sources) {
  const tests = new Set(sources.filter(({ isTest }) => isTest).map(({ path }) => path));
  for (const { path, imports, isTest } of sources) {
    if (isTest || !path.startsWith('src/')) continue;
    if (supportName.test(basename(path))) yield { path, line: 1, message: 'test support lies in test/support' };
    for (const { specifier, target, line } of imports) {
      if (testModule.test(specifier)) yield { path, line, message: `imports ${specifier}: test support lies in test/support` };
      if (target !== undefined && tests.has(target)) yield { path, line, message: `imports ${target}, which is there for tests` };
    }
  }
};
