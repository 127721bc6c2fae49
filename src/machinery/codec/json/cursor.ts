/** Reads the tokens of a document that `checkSyntax` has accepted, so nothing here can fail. */
export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
    this.skipSpace();
  }

  /** The first character of the value ahead. */
  peek(): string {
    return this.text[this.at]!;
  }

  skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  /** Steps over the opening bracket; false when the list or object is empty, which is then behind us. */
  enter(): boolean {
    this.at++;
    this.skipSpace();
    const code = this.text.charCodeAt(this.at);
    if (code !== 0x5d && code !== 0x7d) return true;
    this.at++;
    return false;
  }

  /** After an element: true when another follows, false when the list or object is behind us. */
  next(): boolean {
    this.skipSpace();
    const more = this.text.charCodeAt(this.at++) === 0x2c;
    if (more) this.skipSpace();
    return more;
  }

  key(): string {
    const key = this.string();
    this.skipSpace();
    this.at++;
    this.skipSpace();
    return key;
  }

  string(): string {
    const source = this.literal();
    if (!source.includes('\\')) return source.slice(1, -1);
    return (JSON.parse(source) as string).toWellFormed();
  }

  /** The source of a string, number, true, false or null. */
  literal(): string {
    const start = this.at;
    if (this.text.charCodeAt(start) === 0x22) {
      let at = start + 1;
      for (let code = this.text.charCodeAt(at); code !== 0x22; code = this.text.charCodeAt(++at)) if (code === 0x5c) at++;
      this.at = at + 1;
    } else {
      while (isLiteralPart(this.text.charCodeAt(this.at))) this.at++;
    }
    return this.text.slice(start, this.at);
  }

  /** The source of whatever value is ahead. */
  skip(): string {
    const start = this.at;
    let depth = 0;
    do {
      switch (this.text.charCodeAt(this.at)) {
        case 0x7b:
        case 0x5b:
          depth++;
          this.at++;
          break;
        case 0x7d:
        case 0x5d:
          depth--;
          this.at++;
          break;
        case 0x22:
          this.literal();
          break;
        default:
          if (depth === 0) this.literal();
          else this.at++;
      }
    } while (depth > 0);
    return this.text.slice(start, this.at);
  }
}

/** Letters, digits, sign and point: whatever else comes ends a literal. */
function isLiteralPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x2e || code === 0x2b || code === 0x45
  );
}

/** JSON's word for the kind of value that starts with this character. */
export function kindOf(first: string): 'object' | 'array' | 'string' | 'bool' | 'null' | 'number' {
  switch (first) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'bool';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}

/** Sets an own property whatever its name. */
export function setKey(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
