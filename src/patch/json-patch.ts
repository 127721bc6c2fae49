// Upstream: gopkg.in/evanphx/json-patch.v4/patch.go, k8s.io/apiserver/pkg/endpoints/handlers/patch.go
import type { Steps } from '../base/steps.ts';
import { badRequest, requestEntityTooLarge } from '../machinery/errors.ts';
import { goJson, goQuote } from '../machinery/go-format.ts';
import { serverResponseError } from '../machinery/server-response-error.ts';
import { equalValues } from './apply/equal.ts';
import { EditedLists } from './edited-lists.ts';
import { isObject, own, setOwn } from './json/json-object.ts';
import type { JsonObject } from './json/json-object.ts';
import { jsonTypeName } from './json/json-type-name.ts';
import { Opened } from './patched.ts';
import type { Patched } from './patched.ts';

const maxOperations = 10_000;
/** Bytes that all copy operations of one patch may add. */
const maxCopyBytes = 3 * 1024 * 1024;

const missingValue = 'missing value';

type Container = JsonObject | unknown[];

/** An operation that does not apply. A client that patches sees only that the patch was rejected; for patches of admission the reason is shown. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  /** what stands there is not what a `test` expects */
  readonly isFailedTest: boolean;

  constructor(message: string, { isFailedTest = false } = {}) {
    super(message);
    this.isFailedTest = isFailedTest;
  }
}

/** Checks the form of a parsed patch. `typed` is how fieldValidation Warn and Strict read it: against the declared operation. */
export function decodeJsonPatch(patch: unknown, { typed }: { typed: boolean }): readonly JsonObject[] {
  const list = typed ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch';
  const item = typed ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation';
  const prefix = typed ? 'error decoding patch: ' : '';
  const mismatch = (value: unknown, type: string) => badRequest(`${prefix}json: cannot unmarshal ${jsonTypeName(value)} into Go ${type}`);
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw mismatch(patch, `value of type ${list}`);
  const operations = patch.map((operation): JsonObject => {
    if (operation === null) return {};
    if (!isObject(operation)) throw mismatch(operation, `value of type ${item}`);
    for (const name of typed ? (['op', 'path', 'from'] as const) : []) {
      const value = operation[name] ?? '';
      if (typeof value !== 'string') throw mismatch(value, `struct field jsonPatchOp.${name} of type string`);
    }
    return operation;
  });
  if (operations.length > maxOperations) {
    throw requestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`);
  }
  return operations;
}

const declared: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** What strict decoding says about members that no operation has. */
export function unknownOperationFields(operations: readonly JsonObject[]): string[] {
  return operations.flatMap((operation, index) =>
    Object.keys(operation)
      .filter((name) => !declared.has(name))
      .map((name) => `json patch unknown field "[${index}].${name}"`),
  );
}

export function* applyJsonPatch(document: JsonObject, operations: readonly JsonObject[]): Steps<Patched> {
  try {
    return yield* runJsonPatch(document, operations);
  } catch (error) {
    if (error instanceof OperationError) throw serverResponseError({ code: 422, serverMessage: error.message }, { cause: error });
    throw error;
  }
}

const operationsInStep = 64;
/** Upstream limits what is copied by its length alone: of `{}` that is more than a million. */
const mostCopied = 150_000;
const copiedInStep = 10_000;

/** Throws OperationError. */
export function* runJsonPatch(document: JsonObject, operations: readonly JsonObject[]): Steps<Patched> {
  const run = new Run(document);
  for (const [index, operation] of operations.entries()) {
    run.apply(operation);
    if ((index + 1) % operationsInStep === 0 || run.hasCopiedMuch()) yield;
  }
  return run.result();
}

class Run {
  readonly #opened = new Opened();
  readonly #lists = new EditedLists();
  #root: Container;
  #copied = 0;
  #copiedValues = 0;
  #copiedBefore = 0;

  constructor(document: JsonObject) {
    this.#root = this.#opened.own(document);
  }

  result(): Patched {
    this.#lists.settleAll();
    return this.#opened.patched(this.#root);
  }

  /** since the last time that it was so */
  hasCopiedMuch(): boolean {
    if (this.#copiedValues - this.#copiedBefore < copiedInStep) return false;
    this.#copiedBefore = this.#copiedValues;
    return true;
  }

  apply(operation: JsonObject): void {
    switch (operation['op']) {
      case 'add':
        return this.#add(operation);
      case 'remove':
        return this.#remove(operation);
      case 'replace':
        return this.#replace(operation);
      case 'move':
        return this.#move(operation);
      case 'copy':
        return this.#copy(operation);
      case 'test':
        return this.#test(operation);
      default:
        throw new OperationError(`Unexpected kind: ${typeof operation['op'] === 'string' ? operation['op'] : 'unknown'}`);
    }
  }

  /** The container that a path ends in, opened for writing. Upstream does not look at what stands before the first slash. */
  #find(path: string, otherwise: string): Place {
    const missing = (): OperationError => new OperationError(`${otherwise}: ${missingValue}`);
    const parts = path.split('/');
    if (parts.length < 2) throw missing();
    let container = this.#root;
    for (let at = 1; at < parts.length - 1; at++) {
      const part = decodeKey(parts[at]!);
      const isOutside = Array.isArray(container) && !isIndexIn(part, this.#lists.length(container));
      const next = isOutside ? undefined : this.#valueAt(container, part);
      if (typeof next !== 'object' || next === null) throw missing();
      const inner = this.#opened.own(next as Container);
      if (inner !== next) this.#put(container, part, inner);
      container = inner;
    }
    return { container, key: decodeKey(parts.at(-1)!) };
  }

  #add(operation: JsonObject): void {
    const path = pathOf(operation, 'path', `add operation failed to decode path: ${missingValue}`);
    const place = this.#find(path, `add operation does not apply: doc is missing path: "${path}"`);
    within(`error in add for path: '${path}'`, () => this.#insert(place, operation['value'] ?? null));
  }

  #remove(operation: JsonObject): void {
    const path = pathOf(operation, 'path', `remove operation failed to decode path: ${missingValue}`);
    const place = this.#find(path, `remove operation does not apply: doc is missing path: "${path}"`);
    within(`error in remove for path: '${path}'`, () => this.#take(place));
  }

  #replace(operation: JsonObject): void {
    const path = pathOf(operation, 'path', `replace operation failed to decode path: operation missing path field: ${missingValue}`);
    const value = operation['value'];
    if (path === '') {
      if (typeof value !== 'object' || value === null) {
        throw new OperationError('replace operation value must be object or array: %!w(<nil>)');
      }
      this.#root = this.#opened.own(value as Container);
      return;
    }
    const { container, key } = this.#find(path, `replace operation does not apply: doc is missing path: ${path}`);
    if (Array.isArray(container) && !isIndexIn(key, this.#lists.length(container))) {
      throw new OperationError(`replace operation does not apply: doc is missing key: ${path}: ${missingValue}`);
    }
    // Kept quirk: an object need not have the key that is replaced.
    this.#put(container, key, value ?? null);
  }

  #move(operation: JsonObject): void {
    const from = pathOf(operation, 'from', `move operation failed to decode from: operation, missing from field: ${missingValue}`);
    const source = this.#find(from, `move operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in move for path: '${source.key}'`, () => {
      const moved = this.#valueAt(source.container, source.key);
      this.#take(source);
      return moved ?? null;
    });
    const path = pathOf(operation, 'path', `move operation failed to decode path: operation missing path field: ${missingValue}`);
    const place = this.#find(path, `move operation does not apply: doc is missing destination path: ${path}`);
    within(`error in move for path: '${path}'`, () => this.#insert(place, value));
  }

  #copy(operation: JsonObject): void {
    const from = pathOf(operation, 'from', `copy operation failed to decode from: operation, missing from field: ${missingValue}`);
    const source = this.#find(from, `copy operation does not apply: doc is missing from path: ${from}`);
    const value = within(`error in copy for from: '${from}'`, () => this.#valueAt(source.container, source.key) ?? null);
    this.#lists.settle(value);
    const path = pathOf(operation, 'path', `copy operation failed to decode path: ${missingValue}`);
    const place = this.#find(path, `copy operation does not apply: doc is missing destination path: ${path}`);
    this.#copied += Buffer.byteLength(goJson(value));
    if (this.#copied > maxCopyBytes) {
      throw new OperationError(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${maxCopyBytes}`,
      );
    }
    const copy = this.#clone(value);
    within('error while adding value during copy', () => this.#insert(place, copy));
  }

  #clone(value: unknown): unknown {
    if (++this.#copiedValues > mostCopied) throw requestEntityTooLarge(`limit is ${mostCopied} values that a patch copies`);
    if (Array.isArray(value)) return value.map((item) => this.#clone(item));
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const name of Object.keys(value)) setOwn(copy, name, this.#clone(value[name]));
    return copy;
  }

  #test(operation: JsonObject): void {
    const path = pathOf(operation, 'path', `test operation failed to decode path: operation missing path field: ${missingValue}`);
    const value = path === '' ? this.#root : this.#tested(path);
    this.#lists.settle(value);
    if (!equalValues(value ?? null, operation['value'] ?? null)) {
      throw new OperationError(`testing value ${path} failed: test failed`, { isFailedTest: true });
    }
    this.#opened.sortAll(value);
  }

  #tested(path: string): unknown {
    const { container, key } = this.#find(path, `test operation does not apply: is missing path: ${path}`);
    return within(`error in test for path: '${path}'`, () => this.#valueAt(container, key));
  }

  #valueAt(container: Container, key: string): unknown {
    if (!Array.isArray(container)) return own(container, key);
    return this.#lists.at(container, indexIn(key, this.#lists.length(container)));
  }

  #put(container: Container, key: string, value: unknown): void {
    if (Array.isArray(container)) this.#lists.set(container, indexIn(key, this.#lists.length(container)), value);
    else setOwn(container, key, value);
  }

  #insert({ container, key }: Place, value: unknown): void {
    if (!Array.isArray(container)) return setOwn(container, key, value);
    const length = this.#lists.length(container);
    if (key === '-') return this.#lists.insert(container, length, value);
    if (!isInteger(key)) throw new OperationError(`value was not a proper array index: '${key}': ${notAnInteger(key)}`);
    this.#lists.insert(container, indexIn(key, length + 1), value);
  }

  #take({ container, key }: Place): void {
    if (Array.isArray(container)) this.#lists.remove(container, indexIn(key, this.#lists.length(container)));
    else if (Object.hasOwn(container, key)) delete container[key];
    else throw new OperationError(`Unable to remove nonexistent key: ${key}: ${missingValue}`);
  }
}

interface Place {
  readonly container: Container;
  readonly key: string;
}

/** An error inside says where it failed. */
function within<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof OperationError ? new OperationError(`${where}: ${error.message}`) : error;
  }
}

function pathOf(operation: JsonObject, name: 'path' | 'from', otherwise: string): string {
  const path = operation[name];
  if (typeof path !== 'string') throw new OperationError(otherwise);
  return path;
}

function decodeKey(part: string): string {
  return !part.includes('~') ? part : part.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'));
}

/** An index below `length`; negative ones count from the end. */
function indexIn(key: string, length: number): number {
  if (!isInteger(key)) throw new OperationError(notAnInteger(key));
  const index = Number(key);
  if (index >= length || index < -length) throw new OperationError(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index < 0 ? index + length : index;
}

function isIndexIn(key: string, length: number): boolean {
  return isInteger(key) && Number(key) < length && Number(key) >= -length;
}

function isInteger(key: string): boolean {
  return /^[+-]?\d+$/.test(key);
}

function notAnInteger(key: string): string {
  return `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`;
}
