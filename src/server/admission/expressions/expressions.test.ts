import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Authorizer } from '../../request/authorizer.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { AdmissionCompiler } from '../../../cel/kubernetes/expression-compiler.ts';
import type { CompiledExpression } from '../../../cel/kubernetes/expression-compiler.ts';
import type { ExpressionInputs, Outcome } from './evaluation.ts';
import { Evaluation, OutOfBudgetError } from './evaluation.ts';
import { MatchConditions } from './match-conditions.ts';
import { AuthorizationCalls } from './authorization-calls.ts';

const plenty = 10_000_000;
const inputs: ExpressionInputs = {
  object: { spec: { replicas: 3 } },
  oldObject: undefined,
  request: { operation: 'CREATE' },
  namespaceObject: { metadata: { name: 'default' } },
};
const compiler = (): AdmissionCompiler => new AdmissionCompiler({ hasParams: true, hasVariables: true });
const compile = (expression: string, with_ = compiler()): CompiledExpression => with_.compile(expression, { use: 'stored' });

function run(expression: string, changes: Partial<ExpressionInputs> = {}, budget = plenty): Promise<Outcome> {
  return new Evaluation({ ...inputs, ...changes }, budget).evaluate(compile(expression));
}

describe('expressions of admission', () => {
  test('see the request', async () => {
    const seen = "object.spec.replicas == 3 && oldObject == null && params == null && request.operation == 'CREATE'";
    assert.deepEqual(await run(seen), { value: true });
  });

  test('say what failed', async () => {
    assert.deepEqual(await run('object.nope == 1'), { error: "expression 'object.nope == 1' resulted in error: no such key: nope" });
    const { error } = (await run('nobody.knows')) as { error: string };
    assert.match(error, /^compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nobody'/);
  });

  test('evaluate a variable when they first need it, and pay for it once', async () => {
    const defining = compiler();
    const variables = new Map(
      Object.entries({ wide: '[1, 2, 3].map(x, x * 2)', broken: 'object.nope', after: 'variables.wide.size()' }).map(
        ([name, expression]) => [name, defining.define(name, expression, 'stored')],
      ),
    );
    const evaluation = new Evaluation({ ...inputs, variables }, plenty);
    const costOf = async (expression: string): Promise<number> => {
      const before = evaluation.remainingBudget;
      assert.deepEqual(await evaluation.evaluate(compile(expression, defining)), { value: true });
      return before - evaluation.remainingBudget;
    };
    assert.equal(await costOf('true || variables.broken'), 0);
    const first = await costOf('variables.after == 3');
    assert.ok(first > (await costOf('variables.after == 3')));
    assert.deepEqual(await evaluation.evaluate(compile('variables.broken == 1', defining)), {
      error: `expression 'variables.broken == 1' resulted in error: composited variable "broken" fails to evaluate: no such key: nope`,
    });
  });

  test('let others through while they and their variables take long', async () => {
    const defining = compiler();
    const long = 'lists.range(340).all(x, lists.range(340).all(y, x + y >= 0))';
    const variables = new Map([['long', defining.define('long', `${long} ? 1 : 2`, 'stored')]]);
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const evaluation = new Evaluation({ ...inputs, variables }, plenty);
    const outcomes = await evaluation.evaluateAll([
      compile(`${long} && variables.long == 1`, defining),
      compile('variables.long', defining),
      compile(`${long.replaceAll('340', '2000')}`, defining),
    ]);
    clearInterval(counting);
    assert.deepEqual(outcomes.slice(0, 2), [{ value: true }, { value: 1 }]);
    assert.match((outcomes[2] as { error: string }).error, /actual cost limit exceeded/);
    assert.ok(turns > 1, `${turns} turns of the event loop`);
  });

  test('stop when the budget is spent', async () => {
    await assert.rejects(run('[1, 2, 3].all(x, x > 0)', {}, 5), OutOfBudgetError);
  });

  test('wait for authorizers that take their time, and ask them once', async () => {
    const asked: string[] = [];
    const slow: Authorizer = {
      async authorize({ verb, resource, namespace, user }) {
        asked.push(`${user.name} ${user.groups.join()} ${verb} ${resource} ${namespace}`);
        return { decision: verb === 'get' ? 'allow' : 'no-opinion', reason: 'because' };
      },
    };
    const attributes = {
      resource: { group: '', kind: 'Pod', names: { group: '', plural: 'pods' } },
      subresource: '',
      namespace: 'n',
      name: 'x',
      user: { name: 'jane', uid: '', groups: [], extra: {} },
    } as unknown as AdmissionAttributes;
    const authorizationCalls = new AuthorizationCalls(slow, attributes);
    for (const expression of [
      "authorizer.requestResource.check('get').allowed() && authorizer.requestResource.check('get').reason() == 'because'",
      "!authorizer.serviceAccount('a', 'b').group('').resource('nodes').check('drain').allowed()",
    ]) {
      assert.deepEqual(await run(expression, { authorizationCalls }), { value: true });
    }
    assert.deepEqual(asked, ['jane  get pods n', 'system:serviceaccount:a:b system:serviceaccounts,system:serviceaccounts:a drain nodes ']);
    assert.deepEqual(await run("authorizer.path('/x').check('get').allowed()"), {
      error: "expression 'authorizer.path('/x').check('get').allowed()' resulted in error: no such attribute(s): authorizer",
    });
  });
});

const error = "expression 'object.nope' resulted in error: no such key: nope";
const twoErrors = `[${error}, expression 'object.a.b' resulted in error: no such key: a]`;
const conditionCases: readonly (readonly [what: string, expressions: string[], failurePolicy: string, expected: object])[] = [
  ['no conditions match', [], 'Fail', { matches: true }],
  ['all must be true', ['true', 'object.spec.replicas > 1'], 'Fail', { matches: true }],
  ['one that is false decides', ['true', 'false'], 'Fail', { matches: false }],
  ['even after one that fails', ['object.nope', 'false'], 'Fail', { matches: false }],
  ['otherwise failure is an error', ['true', 'object.nope'], 'Fail', { error }],
  ['the same error is told once', ['object.nope', 'object.nope'], 'Fail', { error }],
  ['different ones are listed', ['object.nope', 'object.a.b'], 'Fail', { error: twoErrors }],
  ['or no match where failure is ignored', ['true', 'object.nope'], 'Ignore', { matches: false }],
  ['there is no namespace', ['namespaceObject == null'], 'Fail', { matches: true }],
];

describe('match conditions', () => {
  for (const [what, expressions, failurePolicy, expected] of conditionCases) {
    test(what, async () => {
      // without the check of types, which would refuse what a test wants to fail
      const untyped = { compile: (expression: string) => compile(expression) } as unknown as AdmissionCompiler;
      const conditions = expressions.map((expression, i) => ({ name: String(i), expression }));
      assert.deepEqual(await new MatchConditions(conditions, failurePolicy, untyped).evaluate(() => inputs), expected);
    });
  }
});
