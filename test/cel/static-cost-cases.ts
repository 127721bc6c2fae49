import type { RuleSchema } from '../../src/cel/kubernetes/rule-tree.ts';
import type { RuleGroup } from './rule-cases.ts';

/** Bounds on items, length and properties; undefined leaves them out. */
type Bounds = readonly [items: number | undefined, length: number | undefined, properties: number | undefined];

const sizeBounds: readonly Bounds[] = [
  [undefined, undefined, undefined],
  [10, 10, 10],
  [100, 63, 16],
  [1000, 253, 100],
  [5, undefined, 5],
  [undefined, 5, undefined],
  [64, 1024, 64],
  [16, 16, 1000],
  [3000, 20, 3000],
  [256, 4096, 256],
];

function bounded([items, length, properties]: Bounds): RuleSchema {
  const text: RuleSchema = { type: 'string', ...(length !== undefined && { maxLength: length }) };
  const list = { type: 'array', ...(items !== undefined && { maxItems: items }) };
  return {
    type: 'object',
    properties: {
      l: { ...list, items: text },
      m: { type: 'object', additionalProperties: text, ...(properties !== undefined && { maxProperties: properties }) },
      o: { ...list, items: { type: 'object', required: ['n'], properties: { n: text, k: { type: 'integer' } } } },
      s: text,
    },
  };
}

const ruleTexts = `
self.l.all(x, x == 'a')
self.l.all(x, self.l.all(y, x != y))
self.o.all(x, self.o.exists_one(y, x.n == y.n))
self.l.all(x, x.matches('[a-z]+'))
self.l.exists(x, x.contains('abc'))
self.m.all(k, self.m[k] != '')
self.s.contains(self.s)
self.l.map(x, x + 'b').join(',').size() < 10
self.l.isSorted()
self.l.sort() == self.l
self.o.filter(x, has(x.k) && x.k > 1).all(y, y.n.startsWith('a'))
self.s.split(',').all(x, x != '')
self.l.all(a, self.l.all(b, self.l.all(c, a + b != c)))
self.s.replace('a', 'bb').size() < 10
isQuantity(self.s) && quantity(self.s).isInteger()
self.m.exists(k, v, k == v)
sets.contains(self.l, self.l)
self.s.find('a+') == 'a'
self.l.distinct().size() == self.l.size()
self.o.map(x, x.n).all(n, n.lowerAscii() == n)
self == self
isURL(self.s) && url(self.s).getHost() == 'a'
`;

/** Rules whose static cost depends on the bounds of the schema. */
export const staticCostGroups: readonly RuleGroup[] = sizeBounds.map((bounds) => ({
  schema: bounded(bounds),
  value: { l: ['a'], m: { a: 'a' }, o: [{ n: 'a', k: 2 }], s: 'a' },
  rules: ruleTexts.trim().split('\n'),
}));
