// Upstream: k8s.io/apimachinery/pkg/fields/selector.go

export interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Gives a term another field or value, e.g. one spelling for several; undefined drops the term. Throws for a field that is not supported. */
export type FieldTransform = (field: string, value: string) => { readonly field: string; readonly value: string } | undefined;

export class FieldSelectorError extends Error {
  override readonly name = 'FieldSelectorError';
}

/** A conjunction of comparisons of single fields with literal values. */
export class FieldSelector {
  static readonly everything = new FieldSelector([]);

  readonly terms: readonly FieldTerm[];

  constructor(terms: readonly FieldTerm[]) {
    this.terms = terms;
  }

  static equals(field: string, value: string): FieldSelector {
    return new FieldSelector([{ field, operator: '=', value }]);
  }

  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  /** A field that the object does not have counts as the empty string. */
  matches(fields: Readonly<Record<string, string>>): boolean {
    return this.terms.every(({ field, operator, value }) => {
      const actual = Object.hasOwn(fields, field) ? fields[field]! : '';
      return (actual === value) === (operator === '=');
    });
  }

  /** The value that the field must have, if the selector pins it to one. */
  exactMatch(field: string): string | undefined {
    return this.terms.find((term) => term.operator === '=' && term.field === field)?.value;
  }

  transform(change: FieldTransform): FieldSelector {
    const terms: FieldTerm[] = [];
    for (const term of this.terms) {
      const changed = change(term.field, term.value);
      if (changed !== undefined && saysSomething(changed)) terms.push({ ...term, ...changed });
    }
    return new FieldSelector(terms);
  }

  toString(): string {
    return this.terms.map(({ field, operator, value }) => field + operator + escapeFieldValue(value)).join(',');
  }
}

export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

/** As for label selectors: each is asked of every object. */
const mostTerms = 1000;

/** Terms are kept in the order of their text, as upstream sorts them. */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === '') return FieldSelector.everything;
  const terms = splitTerms(text);
  if (terms.length > mostTerms) throw new FieldSelectorError(`invalid selector: must have at most ${mostTerms} terms`);
  return new FieldSelector(
    terms
      .sort(compareBytes)
      .filter((term) => term !== '')
      .map((term) => parseTerm(text, term))
      .filter(saysSomething),
  );
}

/** Upstream drops a term without field and value, `=`. */
function saysSomething({ field, value }: Pick<FieldTerm, 'field' | 'value'>): boolean {
  return field !== '' || value !== '';
}

function compareBytes(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** Splits at commas that no backslash precedes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

const termPattern = /^(.*?)(!=|==|=)(.*)$/s;

function parseTerm(selector: string, term: string): FieldTerm {
  const match = termPattern.exec(term);
  if (match === null) throw new FieldSelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  return { field: match[1]!, operator: match[2] === '!=' ? '!=' : '=', value: unescapeFieldValue(match[3]!) };
}

export function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  return text.replace(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      // The character's number, not the character: upstream prints a rune with %v.
      throw new FieldSelectorError(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    }
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new FieldSelectorError(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
}
