import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readList, readTypes } from './pulumi.ts';

test('types are read from namespaces, without the words that the package adds', () => {
  const types = new Map<string, Map<string, string>>();
  readTypes(
    `export declare namespace apps {
    namespace v1 {
        /**
         * Things that run.
         *
         * This resource waits until it is ready.
         */
        interface Thing {
            /**
             * all of '*&#47;scale'
             */
            of: string;
            $ref: string;
        }
    }
}
`,
    types,
  );
  assert.deepEqual(
    [...(types.get('apps.v1.Thing') ?? [])],
    [
      ['', 'Things that run.'],
      ['of', "all of '*/scale'"],
    ],
  );
});

test('lists are read from classes', () => {
  const types = new Map<string, Map<string, string>>();
  readList(
    '/apps/v1/thingList.d.ts',
    '/**\n * Many.\n */\nexport declare class ThingList extends X {\n    /**\n     * each\n     */\n    readonly items: Y;\n}\n',
    types,
  );
  assert.deepEqual(
    [...(types.get('apps.v1.ThingList') ?? [])],
    [
      ['', 'Many.'],
      ['items', 'each'],
    ],
  );
});
