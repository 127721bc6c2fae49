// Upstream: gopkg.in/evanphx/json-patch.v4 patch.go, apiserver pkg/endpoints/handlers/patch.go
import { badRequest, requestEntityTooLarge } from '../machinery/errors.ts';
import { goJson } from '../machinery/go-format.ts';
import { serverResponseError } from '../machinery/server-response-error.ts';
import { equalValues } from './apply/equal.ts';
import { isObject, own, setOwn } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { jsonTypeName } from './json-type-name.ts';
import { Opened } from './patched.ts';
import type { Patched } from './patched.ts';

const MAX_OPERATIONS = 10_000;
/** Bytes that all copy operations of one patch may add. */
const MAX_COPY_BYTES = 3 * 1024 * 1024;

type Container = JsonObject | unknown[];

/** An operation that does not apply. Clients are told only that the patch was rejected. */
class OperationError extends Error {
  override readonly name = 'OperationError';
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
  if (operations.length > MAX_OPERATIONS) {
    throw requestEntityTooLarge(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`);
  }
  return operations;
}

const DECLARED: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** What strict decoding says about members that no operation has. */
export function unknownOperationFields(operations: readonly JsonObject[]): string[] {
  return operations.flatMap((operation, index) =>
    Object.keys(operation)
      .filter((name) => !DECLARED.has(name))
      .map((name) => `json patch unknown field "[${index}].${name}"`),
  );
}

export function applyJsonPatch(document: JsonObject, operations: readonly JsonObject[]): Patched {
  const run = new Run(document);
  try {
    for (const operation of operations) run.apply(operation);
  } catch (error) {
    if (error instanceof OperationError) throw serverResponseError({ code: 422, serverMessage: error.message }, { cause: error });
    throw error;
  }
  return run.result();
}

class Run {
  readonly #opened = new Opened();
  #root: Container;
  #copied = 0;

  constructor(document: JsonObject) {
    this.#root = this.#opened.own(document);
  }

  result(): Patched {
    return this.#opened.patched(this.#root);
  }

  apply(operation: JsonObject): void {
    switch (operation['op']) {
      case 'add':
        return this.#add(pathOf(operation, 'path'), operation['value'] ?? null);
      case 'remove':
        return this.#remove(pathOf(operation, 'path'));
      case 'replace':
        return this.#replace(pathOf(operation, 'path'), operation['value']);
      case 'move': {
        const from = pathOf(operation, 'from');
        const value = this.#get(from);
        this.#remove(from);
        return this.#add(pathOf(operation, 'path'), value ?? null);
      }
      case 'copy':
        return this.#copy(pathOf(operation, 'from'), pathOf(operation, 'path'));
      case 'test':
        return this.#test(pathOf(operation, 'path'), operation['value']);
      default:
        throw new OperationError(`Unexpected kind: ${typeof operation['op'] === 'string' ? operation['op'] : 'unknown'}`);
    }
  }

  /** The container that a path ends in, opened for writing. Upstream does not look at what stands before the first slash. */
  #find(path: string): { container: Container; key: string } {
    const parts = path.split('/').map(decodeKey);
    if (parts.length < 2) throw new OperationError(`doc is missing path: "${path}"`);
    let container = this.#root;
    for (const part of parts.slice(1, -1)) {
      const next = valueAt(container, part);
      if (typeof next !== 'object' || next === null) throw new OperationError(`doc is missing path: "${path}"`);
      const inner = this.#opened.own(next as Container);
      if (inner !== next) put(container, part, inner);
      container = inner;
    }
    return { container, key: parts.at(-1)! };
  }

  #get(path: string): unknown {
    const { container, key } = this.#find(path);
    return valueAt(container, key);
  }

  #add(path: string, value: unknown): void {
    const { container, key } = this.#find(path);
    if (!Array.isArray(container)) setOwn(container, key, value);
    else if (key === '-') container.push(value);
    else container.splice(indexIn(key, container.length + 1), 0, value);
  }

  #remove(path: string): void {
    const { container, key } = this.#find(path);
    if (Array.isArray(container)) container.splice(indexIn(key, container.length), 1);
    else if (Object.hasOwn(container, key)) delete container[key];
    else throw new OperationError(`Unable to remove nonexistent key: ${key}`);
  }

  #replace(path: string, value: unknown): void {
    if (path === '') {
      if (typeof value !== 'object' || value === null) throw new OperationError('replace operation value must be object or array');
      this.#root = this.#opened.own(value as Container);
      return;
    }
    const { container, key } = this.#find(path);
    // Kept quirk: an object need not have the key that is replaced.
    put(container, key, value ?? null);
  }

  #copy(from: string, path: string): void {
    const value = this.#get(from) ?? null;
    const { container, key } = this.#find(path);
    this.#copied += Buffer.byteLength(goJson(value));
    if (this.#copied > MAX_COPY_BYTES) {
      throw new OperationError(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${MAX_COPY_BYTES}`,
      );
    }
    const copy = cloneJson(value);
    if (!Array.isArray(container)) setOwn(container, key, copy);
    else if (key === '-') container.push(copy);
    else container.splice(indexIn(key, container.length + 1), 0, copy);
  }

  #test(path: string, expected: unknown): void {
    const value = path === '' ? this.#root : this.#get(path);
    if (!equalValues(value ?? null, expected ?? null)) throw new OperationError(`testing value ${path} failed`);
    this.#opened.sortAll(value);
  }
}

function pathOf(operation: JsonObject, name: 'path' | 'from'): string {
  const path = operation[name];
  if (typeof path !== 'string') throw new OperationError(`operation missing ${name} field`);
  return path;
}

function decodeKey(part: string): string {
  return part.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'));
}

function valueAt(container: Container, key: string): unknown {
  return Array.isArray(container) ? container[indexIn(key, container.length)] : own(container, key);
}

function put(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container)) container[indexIn(key, container.length)] = value;
  else setOwn(container, key, value);
}

/** An index below `length`; negative ones count from the end. */
function indexIn(key: string, length: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw new OperationError(`value was not a proper array index: '${key}'`);
  const index = Number(key);
  if (index >= length || index < -length) throw new OperationError(`Unable to access invalid index: ${index}`);
  return index < 0 ? index + length : index;
}

function cloneJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneJson);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) setOwn(copy, name, cloneJson(value[name]));
  return copy;
}
