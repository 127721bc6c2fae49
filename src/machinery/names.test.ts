import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath } from './field.ts';
import * as names from './names.ts';
import * as qualified from './qualified-names.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const key =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
  [names.checkDns1123Label('a-1'), []],
  [names.checkDns1123Label('a.b'), ['must not contain dots']],
  [names.checkDns1123Label('A'), [label]],
  [names.checkDns1123Label('a\n'), [label]],
  [names.checkDns1123Label('a'.repeat(64)), ['must be no more than 63 characters']],
  [names.declarativeFormats.shortName('a'.repeat(64)), ['must be no more than 63 bytes']],
  [names.checkDns1123Subdomain('a.b-c'), []],
  [names.checkDns1123Subdomain('A_'), [subdomain]],
  [names.declarativeFormats.longNameCaseless('Example.COM'), []],
  [names.checkDns1123SubdomainWithUnderscore('_a.b_c'), []],
  [
    names.checkDns1035Label('1a'),
    [
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [names.checkWildcardDns1123Subdomain('*.a.b'), []],
  [names.checkQualifiedName('example.com/Name_1'), []],
  [names.checkQualifiedName(''), ['name part must be non-empty', `name part ${key}`]],
  [names.checkQualifiedName('/a'), ['prefix part must be non-empty']],
  [names.checkQualifiedName('Ex/a'), [`prefix part ${subdomain}`]],
  [names.checkQualifiedName('a'.repeat(64)), ['name part must be no more than 63 bytes']],
  [
    names.checkQualifiedName('a/b/c'),
    [`a valid label key ${key} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  [names.checkPrefixedLabelKey('a'), ["must include a prefix (e.g. 'example.com/key')"]],
  [names.checkLabelValue(''), []],
  [names.checkLabelValue('a'.repeat(64)), ['must be no more than 63 bytes']],
  [
    names.checkLabelValue('a b'),
    [
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
  [names.checkPortNumber(0), ['must be between 1 and 65535, inclusive']],
  [names.checkUnixId(-1n), ['must be between 0 and 2147483647, inclusive']],
  [names.checkPortName('http'), []],
  [
    names.checkPortName('-1--2-toolongtoolong'),
    ['must be no more than 15 characters', 'must not contain consecutive hyphens', 'must not begin or end with a hyphen'],
  ],
  [names.checkPortName('80'), ['must contain at least one letter (a-z)']],
  [
    names.checkPercent('5'),
    [
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
  ],
  [names.checkEnvVarName('A.b-c'), []],
  [names.checkEnvVarName('..a'), ["must not start with '..'"]],
  [names.checkRelaxedEnvVarName('a b:'), []],
  [
    names.checkRelaxedEnvVarName('a=b'),
    ["a valid environment variable name must consist only of printable ASCII characters other than '='"],
  ],
  [names.checkConfigMapKey('.'), ["must not be '.'"]],
  [names.checkConfigMapKey('.a'), []],
  [
    names.checkConfigMapKey(''),
    [
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
  ],
  [names.nameIsDnsSubdomain('a-', true), []],
  [names.nameIsDnsSubdomain('a-', false), [subdomain]],
  [names.nameIsDnsLabel('a.-', true), []],
  [names.nameIsPathSegment('..', false), ["may not be '..'"]],
  [names.nameIsPathSegment('..', true), []],
  [names.nameIsPathSegment('a/b%', false), ["may not contain '/'", "may not contain '%'"]],
];

test('name rules answer in the words of upstream', () => {
  for (const [found, expected] of cases) assert.deepEqual(found, expected);
});

test('a mask of a trailing dash takes the character before it along', () => {
  assert.deepEqual(names.nameIsDnsSubdomain('A.-', true), [subdomain]);
  assert.deepEqual(names.nameIsDnsLabel('.-', true), []);
});

test('length counts bytes of UTF-8', () => {
  assert.ok(names.isLongerThan('é'.repeat(32), 63));
  assert.ok(!names.isLongerThan('é'.repeat(31), 63));
});

test('generateName() keeps 58 characters of the base and adds five', () => {
  assert.match(names.generateName('web-'), /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.equal(names.generateName('a'.repeat(100)).length, 63);
});

test('qualified names report on their field', () => {
  const path = FieldPath.root('f');
  const shown = (errors: readonly unknown[]): string[] => errors.map(String);
  assert.deepEqual(shown(qualified.validateFullyQualifiedName('a.b', path)), [
    'f: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
  ]);
  assert.deepEqual(shown(qualified.validateFullyQualifiedDomainName('a.b.', path)), []);
  assert.deepEqual(shown(qualified.validateFullyQualifiedDomainName('', path)), ['f: Required value']);
  assert.deepEqual(shown(qualified.validateDomainPrefixedPath('acme.io', path)), [
    'f: Invalid value: "acme.io": must be a domain-prefixed path (such as "acme.io/foo")',
  ]);
  assert.deepEqual(shown(qualified.validateDomainPrefixedPath('acme.io/a b', path)), [
    "f: Invalid value: \"a b\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
  ]);
  assert.deepEqual(shown(qualified.validateDomainPrefixedKey('foo', path)), [
    'f: Invalid value: "foo": must be a domain-prefixed key (such as "acme.io/foo")',
  ]);
});
