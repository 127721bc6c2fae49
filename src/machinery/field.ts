// Upstream: k8s.io/apimachinery/pkg/util/validation/field/{path,errors}.go
import { goJson, goNumber, goQuote } from './go-format.ts';

/** Where in an object something is: `spec.containers[0].env[key]`. A path is a linked list and costs no string until it is read. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #element: string | number;
  readonly #subscript: boolean;

  private constructor(parent: FieldPath | undefined, element: string | number, subscript: boolean) {
    this.#parent = parent;
    this.#element = element;
    this.#subscript = subscript;
  }

  static root(name: string, ...more: readonly string[]): FieldPath {
    let path = new FieldPath(undefined, name, false);
    for (const next of more) path = path.child(next);
    return path;
  }

  /** One name or several; by far most are one, and a list of the rest would be made for each. */
  child(name: string, second?: string, third?: string): FieldPath {
    const path = new FieldPath(this, name, false);
    if (second === undefined) return path;
    return third === undefined ? path.child(second) : path.child(second, third);
  }

  index(index: number): FieldPath {
    return new FieldPath(this, index, true);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, key, true);
  }

  toString(): string {
    const prefix = this.#parent === undefined ? '' : this.#parent.toString();
    // A nameless element reads as an empty subscript, as upstream has it.
    if (this.#subscript || this.#element === '') return `${prefix}[${this.#element}]`;
    return this.#parent === undefined ? String(this.#element) : `${prefix}.${this.#element}`;
  }
}

export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

const withoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** A bad value that the message leaves out. */
export const omitValue: unique symbol = Symbol('omitted value');

/** A bad value whose text in the message is not derived from it: where upstream prints one of its internal structs. */
export class LiteralValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A bad value of one of upstream's named string types (Protocol, RestartPolicy, ...) or behind a pointer. Those are printed as JSON,
 * plain strings as Go quotes them; the two differ for `<`, `>`, `&` and what does not print.
 */
export function typedValue(value: unknown): LiteralValue {
  return new LiteralValue(goJson(value));
}

/** A path, or its text where it was rendered elsewhere (a webhook's response, CEL's fieldPath). Upstream prints a missing one as `<nil>`. */
export type FieldLocation = FieldPath | string | undefined;

export class FieldError {
  readonly type: FieldErrorType;
  readonly value: unknown;
  /** which rule spoke, independent of wording, e.g. `maxItems` or `format=k8s-short-name` */
  readonly origin: string | undefined;
  readonly #location: FieldLocation;
  #detail: string | (() => string);
  #body: string | undefined;

  /** A detail that costs something is made when it is read: a response has room for a part of many errors. */
  constructor(type: FieldErrorType, location: FieldLocation, value: unknown, detail: string | (() => string), origin?: string) {
    this.type = type;
    this.#location = location;
    this.value = value;
    this.#detail = detail;
    this.origin = origin;
  }

  get detail(): string {
    if (typeof this.#detail !== 'string') this.#detail = this.#detail();
    return this.#detail;
  }

  get field(): string {
    return this.#location === undefined ? '<nil>' : this.#location.toString();
  }

  /** The message without the field: `Invalid value: "x": detail`. Errors are compared by it before they are sent: it is made once. */
  get body(): string {
    return (this.#body ??= bodyOf(this));
  }

  withOrigin(origin: string): FieldError {
    return new FieldError(this.type, this.#location, this.value, this.#detail, origin);
  }

  withDetailPrefix(prefix: string): FieldError {
    return new FieldError(this.type, this.#location, this.value, prefix + this.detail, this.origin);
  }

  toString(): string {
    return `${this.field}: ${this.body}`;
  }
}

function bodyOf(error: FieldError): string {
  let text = titles[error.type];
  if (!withoutValue.has(error.type) && error.value !== omitValue) text += `: ${renderValue(error.value)}`;
  return error.detail === '' ? text : `${text}: ${error.detail}`;
}

/** Upstream quotes a value whole, and twice: megabytes that are not read. */
export const longestValue = 256 * 1024;

function renderValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > longestValue ? `${goQuote(value.slice(0, longestValue))}...` : goQuote(value);
    case 'number':
      return goNumber(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default: {
      const text = value instanceof LiteralValue ? value.text : Array.isArray(value) ? beginningOf(value) : goJson(value);
      return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
    }
  }
}

/** As much of a long list as is shown of it: each of many errors may show the list that it stands in. */
function beginningOf(list: readonly unknown[]): string {
  if (list.length < 1000) return goJson(list);
  let text = '[';
  for (const [index, item] of list.entries()) {
    text += index === 0 ? goJson(item) : `,${goJson(item)}`;
    if (text.length > longestValue) return text;
  }
  return `${text}]`;
}

/** Several errors as one message: duplicates once, a list in brackets when more than one is left. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  return aggregateMessages(errors.map(String));
}

export function aggregateMessages(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`;
}

export function required(location: FieldLocation, detail: string): FieldError {
  return new FieldError('FieldValueRequired', location, '', detail);
}

export function invalid(location: FieldLocation, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueInvalid', location, value, detail);
}

export function typeInvalid(location: FieldLocation, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueTypeInvalid', location, value, detail);
}

/** The supported values are listed in the order given. */
export function notSupported(location: FieldLocation, value: unknown, supported: readonly string[]): FieldError {
  const detail = (): string => `supported values: ${supported.map(goQuote).join(', ')}`;
  return new FieldError('FieldValueNotSupported', location, value, supported.length === 0 ? '' : detail);
}

export function duplicate(location: FieldLocation, value: unknown): FieldError {
  return new FieldError('FieldValueDuplicate', location, value, '');
}

export function forbidden(location: FieldLocation, detail: string): FieldError {
  return new FieldError('FieldValueForbidden', location, '', detail);
}

export function notFound(location: FieldLocation, value: unknown): FieldError {
  return new FieldError('FieldValueNotFound', location, value, '');
}

/** Measured in bytes; a negative maximum leaves the number out of the message. */
export function tooLong(location: FieldLocation, maxLength: number): FieldError {
  const detail = maxLength < 0 ? 'value is too long' : `may not be more than ${counted(maxLength, 'byte')}`;
  return new FieldError('FieldValueTooLong', location, '<value omitted>', detail);
}

export function tooLongCharacters(location: FieldLocation, maxLength: number): FieldError {
  const detail = maxLength < 0 ? 'value is too long' : `may not be more than ${counted(maxLength, 'character')}`;
  return new FieldError('FieldValueTooLong', location, '<value omitted>', detail);
}

export function tooShort(location: FieldLocation, value: unknown, minLength: number): FieldError {
  const detail = minLength < 0 ? 'value is too short' : `must be at least ${counted(minLength, 'character')}`;
  return new FieldError('FieldValueTooShort', location, value, detail);
}

/** A negative actual or maximum count is left out of the message. */
export function tooMany(location: FieldLocation, actual: number, maximum: number): FieldError {
  const detail = maximum < 0 ? 'has too many items' : `must have at most ${counted(maximum, 'item')}`;
  return new FieldError('FieldValueTooMany', location, actual < 0 ? omitValue : actual, detail);
}

export function internalError(location: FieldLocation, message: string): FieldError {
  return new FieldError('InternalError', location, '', message);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
