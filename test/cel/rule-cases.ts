import type { RuleSchema } from '../../src/cel/kubernetes/rule-tree.ts';

/** A schema node with a value and the rules to try on it. */
export interface RuleGroup {
  readonly schema: RuleSchema;
  readonly value: unknown;
  readonly rules: readonly string[];
}

const text: RuleSchema = { type: 'string' };
const specSchema: RuleSchema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    maxReplicas: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    name: { type: 'string', maxLength: 63 },
    long: text,
    en: { type: 'string', enum: ['a', 'bbb', 'cc'] },
    items: {
      type: 'array',
      maxItems: 10,
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 20 }, value: { type: 'integer' } } },
    },
    names: { type: 'array', items: text },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    nums: { type: 'array', items: { type: 'integer' } },
    dbl: { type: 'array', items: { type: 'number' } },
    ml: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: text, v: { type: 'integer' } } },
    },
    labels: { type: 'object', additionalProperties: text },
    limits: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
    port: { 'x-kubernetes-int-or-string': true },
    dur: { type: 'string', format: 'duration' },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    raw: { type: 'string', format: 'byte' },
    nul: { type: 'string', nullable: true },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    unk: { 'x-kubernetes-preserve-unknown-fields': true },
    emb: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    namespace: text,
    'my-field': text,
    'a.b/c__d': { type: 'integer' },
    deep: {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'array', items: { type: 'array', items: { type: 'integer' } } } } } },
    },
    opt: { type: 'object', properties: { x: { type: 'integer' }, y: text } },
  },
};
const specValue = {
  replicas: 3,
  maxReplicas: 5,
  ratio: 1.5,
  on: true,
  name: 'abc',
  long: 'a long string here',
  en: 'bbb',
  items: [{ name: 'a', value: 1 }, { name: 'b', value: 2 }, { name: 'c' }],
  names: ['x', 'y', 'zz'],
  set: ['b', 'a', 'c'],
  nums: [3, 1, 2],
  dbl: [1, 2.5],
  ml: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  labels: { app: 'web', tier: 'front' },
  limits: { cpu: 2, mem: 10 },
  port: 'http',
  dur: '1h30m',
  when: '2024-01-02T03:04:05Z',
  day: '2024-05-06',
  raw: 'aGVsbG8=',
  nul: null,
  any: { q: 1 },
  unk: { z: [1] },
  emb: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} },
  namespace: 'ns',
  'my-field': 'mf',
  'a.b/c__d': 7,
  deep: { a: { b: [[1, 2], [3]] } },
  opt: { x: 1 },
};
const specRules = `self.replicas <= self.maxReplicas && self.items.all(i, i.name.matches('^[a-z]+$'))
self.replicas > 3
self.replicas == oldSelf.replicas
self.name.startsWith('a') || self.long.contains('long')
self.items.exists(i, has(i.value) && i.value == 2)
self.items.exists_one(i, i.name == 'a')
self.items.map(i, i.name).join(',') == 'a,b,c'
self.items.filter(i, has(i.value)).size() == 2
self.items.all(i, i.value > 0)
self.names.all(n, n.size() < 5)
self.names.isSorted()
self.nums.isSorted()
self.nums.sum() == 6
self.nums.max() == 3 && self.nums.min() == 1
self.nums.indexOf(2) == 2
self.dbl.sum() == 3.5
self.set == oldSelf.set
self.set + ['d', 'a'] == ['a','b','c','d']
self.ml == oldSelf.ml
self.ml + [{'k':'a','v':5}] == self.ml
self.labels['app'] == 'web'
self.labels.app == 'web'
'app' in self.labels
self.labels.all(k, self.labels[k].size() > 2)
self.labels.exists(k, v, k == 'tier' && v == 'front')
self.labels.transformMap(k, v, v + 'x').size() == 2
self.labels.nope == 'x'
has(self.labels.nope)
!has(self.labels.nope)
self.limits.cpu + self.limits.mem == 12
self.limits.map(k, self.limits[k]).sum() > 5
self.port == 'http'
self.port == 80
type(self.port) == string ? self.port == 'http' : self.port == 80
self.port.startsWith('h')
self.dur == duration('90m')
self.dur > duration('1h')
self.dur.getMinutes() == 90
self.when.getFullYear() == 2024
self.when < timestamp('2025-01-01T00:00:00Z')
self.day.getMonth() == 4
self.raw == b'hello'
size(self.raw) == 5
self.nul == null
has(self.nul)
self.nul.size() > 0
has(self.any.q)
self.any == oldSelf.any
size(self.any) == 1
self.unk == oldSelf.unk
self.emb.kind == 'Pod' && self.emb.metadata.name == 'p'
has(self.emb.metadata.generateName)
self.emb.spec == null
self.__namespace__ == 'ns'
self.namespace == 'ns'
self.my__dash__field == 'mf'
self.a__dot__b__slash__c__underscores__d == 7
self.deep.a.b[0][1] == 2
self.deep.a.b.all(r, r.all(c, c > 0))
self.deep.a.b.exists(r, r.exists(c, c == 3))
self.deep.a.b.flatten().size() == 3
self.opt.?y.orValue('d') == 'd'
self.?opt.?x.orValue(0) == 1
has(self.opt.y) || self.opt.x == 1
self.opt.y == 'a'
self.ratio > 1.0
self.ratio > 1
self.ratio + 1 == 2.5
self.on
self.on ? self.replicas > 0 : self.replicas == 0
(self.on ? self.name : self.long).size() == 3
self.en in ['a', 'bbb']
self.en == 'bbb' && self.en.size() <= 3
self.replicas in [1,2,3]
self.name in self.names
self.names.map(n, n.upperAscii()) == ['X','Y','ZZ']
self.long.split(' ').size() == 4
self.long.replace('long','short') == 'a short string here'
self.long.substring(2, 6) == 'long'
self.long.find('[a-z]+ing') == 'string'
self.long.findAll('[a-z]+').size() == 4
self.long.matches('(')
self.long.find('(')
self.long.lowerAscii().trim() == self.long
'%s-%d'.format([self.name, self.replicas]) == 'abc-3'
'%s'.format([self.labels]) == ''
quantity('1Gi').isGreaterThan(quantity('500Mi'))
quantity(self.name).isInteger()
isQuantity(self.name)
url('https://a.b:80/c?d=e').getHost() == 'a.b:80'
isURL(self.long)
ip('1.2.3.4').family() == 4
isIP(self.name)
ip(self.name).isLoopback()
cidr('10.0.0.0/8').containsIP('10.1.2.3')
cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')
semver('1.2.3').isLessThan(semver('1.10.0'))
semver(self.name).major() == 1
format.dns1123Label().validate(self.name).hasValue()
!format.named('uuid').value().validate(self.name).hasValue()
sets.contains(self.names, ['x'])
sets.intersects(self.names, self.set)
sets.equivalent(self.set, ['a','b','c'])
self.names.sort() == ['x','y','zz']
self.nums.sort() == [1,2,3]
self.items.sortBy(i, i.name).map(i, i.name) == ['a','b','c']
self.nums.distinct().size() == 3
self.nums.reverse() == [2,1,3]
self.nums.slice(0, 2) == [3,1]
lists.range(3) == [0,1,2]
self.names.includes('x')
self.nums.all(i, v, v > 0 && i >= 0)
self.nums.transformList(i, v, v * i).sum() == 5
[1,2,3].all(x, x > 0)
[self.replicas, self.maxReplicas].max() == 5
{'a': self.replicas}.a == 3
1 + 'a'
self.foo == 1
self.replicas
self.items.all(i, i.nope == 1)
self.replicas.foo
self.name + 1 == 'x'
self.replicas < 'a'
foo(self)
self.items.name
self.items.all(x, y)
self.replicas / 0 == 1
self.items[5].name == 'x'
self.nums[-1] == 1
duration('abc') == duration('1s')
timestamp('x') == timestamp('y')
int('x') == 1
int(self.name) == 1
string(self.replicas) == '3'
double(self.replicas) == 3.0
self.replicas == 3.0
self.ratio == 3
dyn(self.replicas) == 'a'
[1, 'a'].size() == 2
{'a': 1, 'b': 'c'}.size() == 2
self == oldSelf
self.items == oldSelf.items
self.labels == oldSelf.labels
self.items.all(i, oldSelf.items.exists(o, o.name == i.name))
self.items.all(i, self.items.all(j, self.items.all(k, i.name != j.name || j.name != k.name)))
self.names.all(a, self.names.all(b, a.contains(b)))
self.names.all(a, self.names.exists(b, a.matches(b)))
self.long.matches(self.name)
self.long.contains(self.long)
self.names.map(a, self.names.map(b, a + b)).size() > 0
self.labels.all(k, self.labels.all(j, k == j))
authorizer.path('/x').check('get').allowed()
optional.of(1).hasValue()
optional.none().orValue(3) == 3
self.names[?5].hasValue()
self.names[?0].value() == 'x'
[?self.?opt.?y, ?self.?opt.?x].size() > 0
has(self.items[0].name)
has(self.replicas)
self.items.size() > 0 ? self.items[0].name == 'a' : false
self.on && (self.replicas > 10 || self.name == 'abc') && !(self.ratio < 1.0)
self.items.map(i, i.value) == [1, 2]
self.items.map(i, has(i.value), i.value) == [1, 2]
type(self) == map
type(self.items) == list
self.names.join() == 'xyzz'
strings.quote(self.name) == '"abc"'
self.name.charAt(0) == 'a' && self.name.indexOf('b') == 1 && self.name.lastIndexOf('c') == 2
self.name.charAt(10) == 'a'
self.names == ['x', 'y', 'zz']
['x', 'y', 'zz'] == self.names
self.set == ['c','b','a']
['c','b','a'] == self.set
self.names != oldSelf.names
self.when - self.when == duration('0s')
self.when + self.dur > self.when
uint(self.replicas) == 3u
-self.replicas == -3
self.replicas % 2 == 1
!self.on
self.names.exists(n, n == self.name) == false
jsonpatch.escapeKey('a/b') == 'a~1b'
cel.bind(x, 1, x == 1)
self.nums.first().value() == 3
self.nums.last() == optional.of(2)
`;
const small: readonly (readonly [RuleSchema, readonly string[], unknown, unknown])[] = [
  [
    { type: 'string' },
    ["self == 'a'", 'self.size() < 10', 'self.startsWith(oldSelf)', "self.matches('a+')", "self + self == 'aa'"],
    'a',
    'b',
  ],
  [
    { type: 'string', maxLength: 10 },
    [
      "self == 'a'",
      "self.contains('b')",
      "self.find('a') == 'a'",
      "self.replace('a', 'bb') == 'bb'",
      "self.split('a').size() == 2",
      "self.split('a', 1).size() == 1",
    ],
    'a',
    'b',
  ],
  [{ type: 'integer' }, ['self > 0', 'self >= oldSelf', 'self in [1,2]', 'self == 1.0'], 1, 2],
  [
    { type: 'array', items: { type: 'string' } },
    [
      "self.all(x, x != '')",
      "self.exists(x, x == 'a')",
      'self.size() > 1',
      "self.map(x, x + 'y').all(z, z.endsWith('y'))",
      "self.join('-').size() > 2",
      'self.all(x, self.filter(y, y == x).size() == 1)',
      'self.isSorted()',
      "self.max() == 'b'",
      'self.distinct() == self',
      'self.sort() == self',
      'self + self == self',
    ],
    ['a', 'b'],
    ['a'],
  ],
  [
    { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } },
    [
      "self.all(x, x != '')",
      "self.join('-').size() > 2",
      'self.all(x, self.filter(y, y == x).size() == 1)',
      'self.isSorted()',
      'self.sort() == self',
      'self.distinct().size() == 2',
      'self.flatten() == self',
      "self.slice(0,1) == ['a']",
      'self.reverse() == self',
    ],
    ['a', 'b'],
    ['a'],
  ],
  [
    { type: 'object', additionalProperties: { type: 'integer' } },
    [
      'self.all(k, self[k] > 0)',
      "self.exists(k, k == 'a')",
      'self.size() == 2',
      "self.all(k, v, v > 0 && k != '')",
      "'a' in self",
      'self.transformList(k, v, v).sum() == 3',
      "self.map(k, k).join(',').size() == 3",
    ],
    { a: 1, b: 2 },
    { a: 1 },
  ],
  [
    { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] } }, required: ['a'] },
    ["self.a.b == 'x'", 'has(self.a) && has(self.a.b)', 'self.a == oldSelf.a', "self.a.b.size() > 0 && self.a.b.matches('x')"],
    { a: { b: 'x' } },
    { a: { b: 'y' } },
  ],
  [{ type: 'boolean' }, ['self', '!self', 'self == oldSelf', 'self && oldSelf'], true, false],
  [{ type: 'number' }, ['self > 1.0', 'self > 1', 'self == 1', 'int(self) == 1', "string(self) == '1.5'"], 1.5, 2],
  [{ 'x-kubernetes-int-or-string': true }, ["self == 'a'", 'self == 1', 'type(self) == int', "string(self) == '1'", 'self > 0'], 1, 'a'],
  [
    { type: 'string', format: 'date-time' },
    ["self > timestamp('2020-01-01T00:00:00Z')", 'self.getFullYear() == 2024', 'self == oldSelf'],
    '2024-01-01T00:00:00Z',
    '2024-01-01T00:00:00.000Z',
  ],
  [{ type: 'string', format: 'byte' }, ["self == b'hello'", 'size(self) == 5'], 'aGVsbG8=', 'aGVsbG8='],
];

/** Rules on schemas of our own: every kind of type, every library. */
export const ruleGroups: readonly RuleGroup[] = [
  { schema: specSchema, value: specValue, rules: specRules.trim().split('\n') },
  ...small.map(([schema, rules, value]) => ({ schema, rules, value })),
];
