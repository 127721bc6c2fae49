// Upstream: github.com/google/cel-go/common/types/provider.go
// The adaptation of native values.

import { ArrayList } from './collections.ts';
import { equal } from './equality.ts';
import type { Truth, Value } from './values.ts';
import { CelError, CelList, CelMap, Double } from './values.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON value of unknown shape as a value of the language. Nothing is copied: parts are adapted when looked at. */
export function adaptJson(json: unknown): Value {
  switch (typeof json) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return json;
    case 'number':
      return Number.isSafeInteger(json) ? json + 0 : new Double(json);
    case 'undefined':
      return null;
    case 'object':
      if (json === null) return null;
      return Array.isArray(json) ? new JsonList(json) : new JsonMap(json as JsonObject);
    default:
      return new CelError(`unsupported conversion to ref.Val: (${typeof json})`);
  }
}

/** A JSON array whose items have no schema. */
export class JsonList extends CelList {
  readonly json: readonly unknown[];

  constructor(json: readonly unknown[]) {
    super();
    this.json = json;
  }

  get length(): number {
    return this.json.length;
  }

  at(index: number): Value {
    return adaptJson(this.json[index]);
  }

  equals(other: Value): Truth {
    if (!(other instanceof CelList) || other.length !== this.length) return false;
    for (let i = 0; i < this.length; i++) if (equal(this.at(i), other.at(i)) === false) return false;
    return true;
  }

  contains(value: Value): Truth {
    return this.json.some((item) => equal(value, adaptJson(item)) === true);
  }

  concat(other: CelList): Value {
    return new ArrayList([...this, ...other]);
  }
}

/** A JSON object whose properties have no schema. */
export class JsonMap extends CelMap {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.json = json;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    return typeof key === 'string' && Object.hasOwn(this.json, key) ? adaptJson(this.json[key]) : undefined;
  }

  keys(): readonly Value[] {
    return Object.keys(this.json);
  }

  equals(other: Value): Truth {
    if (!(other instanceof CelMap) || other.size !== this.size) return false;
    for (const key of Object.keys(this.json)) {
      const found = other.find(key);
      if (found === undefined || equal(adaptJson(this.json[key]), found) === false) return false;
    }
    return true;
  }
}
