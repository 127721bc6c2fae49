// Upstream: k8s.io/apimachinery/pkg/util/mergepatch/errors.go, k8s.io/apiserver/pkg/endpoints/handlers/patch.go#interpretStrategicMergePatchError
import { badRequest } from '../../machinery/errors.ts';
import type { ApiError } from '../../machinery/errors.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import { goPlain, goText, goType } from '../apply/go-value.ts';
import type { JsonObject } from '../json/json-object.ts';

export const badPrimitiveList = (): ApiError => badRequest('invalid patch format of primitive list');
export const badRetainKeys = (): ApiError => badRequest('invalid patch format of retainKeys');
export const badSetElementOrder = (): ApiError => badRequest('invalid patch format of setElementOrder list');
export const listOfLists = (): ApiError => serverResponseError({ code: 422, serverMessage: 'lists of lists are not supported' });

export function noMergeKey(item: JsonObject, mergeKey: string): Error {
  return new Error(`map: ${goPlain(item)} does not contain declared merge key: ${mergeKey}`);
}

export function badPatchType(directive: unknown, patch: JsonObject): Error {
  return new Error(`unknown patch type: ${goText(directive)} in map: ${goPlain(patch)}`);
}

export function badArgument(expected: 'map[string]interface {}' | '[]interface {}', actual: unknown): Error {
  return new Error(`expected a ${expected}, but received a ${actual === null || actual === undefined ? '%!s(<nil>)' : goType(actual)}`);
}
