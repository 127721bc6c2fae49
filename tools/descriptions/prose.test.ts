import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readModel, readOperations } from './client-node.ts';
import { readModule } from './kubernetes-types.ts';
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

test('line breaks that became spaces are found again', () => {
  const classes = new Map<string, Map<string, string>>();
  readModel(
    "/**\n* One.  Two:    - a   - b\n*/\nexport declare class V1X {\n    /**\n    * it\\'s\n    */\n    '_continue'?: string;\n}\n",
    classes,
  );
  assert.deepEqual(
    [...(classes.get('V1X') ?? [])],
    [
      ['', 'One.\n\nTwo:\n\n  - a\n  - b'],
      ['continue', "it's"],
    ],
  );
});

test('parameters of operations are the fields of options', () => {
  const options = new Map<string, Map<string, string>>();
  readOperations('/**\n * list\n * @param _continue where &#x60;it&#x60; stopped\n */\n    listPriorityClass(a: string): void;\n', options);
  assert.equal(options.get('meta.v1.ListOptions')?.get('continue'), 'where `it` stopped');
});

test('comments of one line are comments too', () => {
  const types = new Map<string, Map<string, string>>();
  readModule(
    'meta/v1.d.ts',
    '/** A moment. */\nexport type Time = string;\nexport interface Status {\n    /** why */\n    reason?: string;\n}\n',
    types,
  );
  assert.equal(types.get('meta.v1.Time')?.get(''), 'A moment.');
  assert.equal(types.get('meta.v1.Status')?.get('reason'), 'why');
});
