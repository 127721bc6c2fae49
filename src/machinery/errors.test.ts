import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as errors from './errors.ts';
import type { ApiError } from './errors.ts';
import * as field from './field.ts';
import { serverResponseError } from './server-response-error.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };

// The right-hand sides are what kube-apiserver v1.37 writes.
const cases: readonly (readonly [ApiError, string])[] = [
  [
    errors.notFound(pods, 'a'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \\"a\\" not found","reason":"NotFound","details":{"name":"a","kind":"pods"},"code":404}',
  ],
  [
    errors.alreadyExists(deployments, 'a'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"deployments.apps \\"a\\" already exists","reason":"AlreadyExists","details":{"name":"a","group":"apps","kind":"deployments"},"code":409}',
  ],
  [
    errors.generateNameConflict(pods, 'a-x', 1),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \\"a-x\\" already exists, the server was not able to generate a unique name for the object","reason":"AlreadyExists","details":{"name":"a-x","kind":"pods","retryAfterSeconds":1},"code":409}',
  ],
  [
    errors.conflict(pods, 'a', errors.optimisticLockMessage),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Operation cannot be fulfilled on pods \\"a\\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","details":{"name":"a","kind":"pods"},"code":409}',
  ],
  [
    errors.unauthorized(''),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"not authorized","reason":"Unauthorized","code":401}',
  ],
  [
    errors.forbidden(pods, '', 'no'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods is forbidden: no","reason":"Forbidden","details":{"kind":"pods"},"code":403}',
  ],
  [
    errors.forbidden({ group: '', resource: '' }, '', 'no'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"forbidden: no","reason":"Forbidden","details":{},"code":403}',
  ],
  [
    errors.internalError('boom'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Internal error occurred: boom","reason":"InternalError","details":{"causes":[{"message":"boom"}]},"code":500}',
  ],
  [
    errors.tooLargeResourceVersion(9n, 3n, 1),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Timeout: Too large resource version: 9, current: 3","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504}',
  ],
  [
    errors.methodNotSupported(deployments, 'patch'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"patch is not supported on resources of kind \\"deployments.apps\\"","reason":"MethodNotAllowed","details":{"group":"apps","kind":"deployments"},"code":405}',
  ],
  [
    errors.notAcceptable(['application/json', 'application/yaml']),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"only the following media types are accepted: application/json, application/yaml","reason":"NotAcceptable","code":406}',
  ],
  [
    errors.resourceExpired('too old resource version: 1 (5)'),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (5)","reason":"Expired","code":410}',
  ],
  [
    serverResponseError({ code: 422, serverMessage: 'x' }),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server rejected our request due to an error in our request","reason":"Invalid","details":{},"code":422}',
  ],
  [
    serverResponseError({ code: 500, verb: 'GET', resource: pods, name: 'a', serverMessage: 'x"y' }),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"an error on the server (\\"x\\\\\\"y\\") has prevented the request from succeeding (get pods a)","reason":"InternalError","details":{"name":"a","kind":"pods"},"code":500}',
  ],
];

test('named constructors write the Status of upstream, key for key', () => {
  for (const [error, written] of cases) assert.equal(JSON.stringify(error.status), written);
});

test('invalid() lists every cause and aggregates distinct messages', () => {
  const path = field.FieldPath.root('spec', 'replicas');
  const bad = field.invalid(path, -1, 'must be greater than or equal to 0');
  const kind = { group: 'apps', kind: 'Deployment' };

  assert.equal(
    JSON.stringify(errors.invalid(kind, 'a', [bad]).status),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Deployment.apps \\"a\\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0","reason":"Invalid","details":{"name":"a","group":"apps","kind":"Deployment","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: -1: must be greater than or equal to 0","field":"spec.replicas"}]},"code":422}',
  );
  const several = errors.invalid(kind, 'a', [bad, bad, field.required(path, '')]).status;
  assert.equal(
    several.message,
    'Deployment.apps "a" is invalid: [spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.replicas: Required value]',
  );
  assert.equal(several.details?.causes?.length, 3);
  assert.equal(errors.invalid(kind, 'a', []).message, 'Deployment.apps "a" is invalid');
});

test('statusOf() shows a foreign error as a 500 without a reason and keeps an ApiError as it is', () => {
  assert.deepEqual(errors.statusOf(new TypeError('oops')), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'oops',
    code: 500,
  });
  const cause = new Error('disk');
  const error = errors.badRequest('no', { cause });
  assert.equal(errors.statusOf(error), error.status);
  assert.equal(error.cause, cause);
  assert.ok(errors.isReason(error, 'BadRequest'));
});

test('invalid() ends a list of mistakes that nobody could read', () => {
  const kind = { group: '', kind: 'Pod' };
  const path = field.FieldPath.root('metadata', 'ownerReferences');
  const references = Array.from({ length: 8000 }, (_, index) => ({ name: `owner-${index}` }));
  const repeated = errors.invalid(
    kind,
    'a',
    references.map((reference) => field.invalid(path, references, `Found ${reference.name}`)),
  ).status;
  assert.ok(repeated.message!.length < 3_000_000);
  assert.match(repeated.message!, /Found owner-0, .*, and 79\d\d more\]$/);
  const many = errors.invalid(
    kind,
    'a',
    references.concat(references).map(() => field.invalid(path, '', 'x')),
  ).status;
  assert.equal(many.details?.causes?.length, 10_000);
  assert.equal(many.message, `Pod "a" is invalid: [metadata.ownerReferences: Invalid value: "": x, and 6000 more]`);
});
