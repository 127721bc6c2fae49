import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adaptJson, compile, evaluate } from '../index.ts';
import type { AuthorizationAttributes } from './authorizer.ts';
import { authorizerValue, requestResourceValue } from './authorizer.ts';
import { admissionEnvironment, authenticationEnvironment, authorizationEnvironment } from './variables.ts';

const admission = admissionEnvironment('stored', { hasParams: true, hasAuthorizer: true });

test('admission expressions see the request, the objects and the authorizer', () => {
  const asked: AuthorizationAttributes[] = [];
  const authorize = (attributes: AuthorizationAttributes) => {
    asked.push(attributes);
    return { isAllowed: attributes.verb === 'get', reason: 'because' };
  };
  const activation = {
    object: adaptJson({ metadata: { name: 'a' }, spec: { replicas: 3 } }),
    request: adaptJson({ operation: 'CREATE', userInfo: { username: 'me', groups: ['g'] } }),
    authorizer: authorizerValue(authorize),
    'authorizer.requestResource': requestResourceValue(authorize, { group: 'apps', resource: 'deployments' }),
  };
  const expressions = [
    "request.operation == 'CREATE' && 'g' in request.userInfo.groups",
    'object.spec.replicas <= 3 && !has(object.spec.paused)',
    "authorizer.group('apps').resource('deployments').namespace('n').check('get').allowed()",
    "authorizer.requestResource.check('delete').reason() == 'because'",
    "!authorizer.serviceAccount('ns', 'sa').path('/healthz').check('post').allowed()",
  ];
  for (const expression of expressions) {
    const compiled = compile(expression, admission);
    assert.ok('program' in compiled, JSON.stringify(compiled));
    const outcome = evaluate(compiled.program, activation, { limit: 10_000_000 });
    assert.ok('value' in outcome && outcome.value === true, `${expression}: ${JSON.stringify(outcome)}`);
  }
  assert.deepEqual(asked, [
    { group: 'apps', resource: 'deployments', namespace: 'n', verb: 'get' },
    { group: 'apps', resource: 'deployments', verb: 'delete' },
    { serviceAccount: { namespace: 'ns', name: 'sa' }, path: '/healthz', verb: 'post' },
  ]);
});

test('each use has its own variables and no others', () => {
  const compiles = (expression: string, environment: typeof admission): boolean => 'program' in compile(expression, environment);
  assert.ok(compiles("claims.sub == 'x' && claims.?groups.hasValue()", authenticationEnvironment('claims')));
  assert.ok(compiles("user.username.startsWith('a')", authenticationEnvironment('user')));
  assert.ok(compiles("request.resourceAttributes.namespace == 'x'", authorizationEnvironment()));
  assert.ok(!compiles('object.a', authenticationEnvironment('user')));
  assert.ok(!compiles('request.nope', admission));
  assert.ok(!compiles("jsonpatch.escapeKey('a')", admission));
  assert.ok(
    compiles(
      "jsonpatch.escapeKey('a/b') == 'a~1b'",
      admissionEnvironment('stored', { hasParams: false, hasAuthorizer: false, hasPatches: true }),
    ),
  );
});

test('mutations construct objects of any shape and JSON patches', () => {
  const environment = admissionEnvironment('new', { hasParams: false, hasAuthorizer: true, hasPatches: true });
  const outcomes = {
    'Object{spec: Object.spec{replicas: 1}}': 'Object',
    'Object.spec{replicas: 1}': 'Object.spec',
    'Object{a: 1}.a': 'dyn',
    Object: 'type(Object)',
    'Object.spec': 'type(Object.spec)',
    '[JSONPatch{op: "add", path: "/x", value: 1}]': 'list(JSONPatch)',
    'JSONPatch{op: "add"}.op': 'string',
    'Foo{a: 1}': "undeclared reference to 'Foo' (in container '')",
    'JSONPatch{op: 1}': "expected type of field 'op' is 'string' but provided type is 'int'",
    'JSONPatch{foo: 1}': "expected type of field 'foo' is '' but provided type is 'int'",
  };
  for (const [expression, expected] of Object.entries(outcomes)) {
    const compiled = compile(expression, environment);
    if ('issues' in compiled) assert.ok(compiled.issues.includes(expected), compiled.issues);
    else assert.equal('program' in compiled && String(compiled.program.resultType), expected);
  }
  const same = compile('Object{a: [1]} == Object{a: [1]} && JSONPatch{op: "add"} != JSONPatch{op: "add", value: 1}', environment);
  assert.ok('program' in same);
  const outcome = evaluate(same.program, {}, { limit: 1000 });
  assert.ok('value' in outcome && outcome.value === true, JSON.stringify(outcome));
});
