export type JsonObject = { [name: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the object itself holds under a name that a client chose: never what every object inherits (`constructor`, `__proto__`). */
export function own(object: JsonObject | undefined, name: string): unknown {
  const value = object?.[name];
  if (typeof value !== 'function' && value !== Object.prototype) return value;
  return Object.hasOwn(object!, name) ? value : undefined;
}

/** Sets a property, also where the name is one that JavaScript gives a meaning. */
export function setOwn(target: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  else target[name] = value;
}

export function isBlank(object: JsonObject | undefined): boolean {
  for (const _ in object) return false;
  return true;
}
