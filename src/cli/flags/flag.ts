/** How texts of one type become a value, and how help shows it. */
export interface FlagKind<T> {
  /** the word for a value in help; none for booleans */
  readonly word: string;
  /** `earlier` is what the same flag was set to before, undefined the first time: lists and maps grow by it */
  parse(text: string, earlier: T | undefined): T;
  /** as help shows a default; empty for what is the type's zero */
  show(value: T): string;
  /** as logs and /flagz show a value, where that is not what it looks like anyway */
  text?(value: T): string;
  /** the text that the bare flag, without a value, stands for */
  readonly bare?: string;
}

export interface Flag<T = unknown> {
  readonly kind: FlagKind<T>;
  readonly fallback: T;
  readonly help: string;
  readonly shorthand?: string;
  /** printed when the flag is used; such a flag may be left out of help */
  readonly deprecated?: string;
  readonly hidden?: boolean;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the one place where a flag's value type does not matter
export type Flags = Readonly<Record<string, Flag<any>>>;

/** Flags under one heading of help. */
export interface FlagGroup<F extends Flags = Flags> {
  readonly title: string;
  readonly flags: F;
}

export function flagGroup<const F extends Flags>(title: string, flags: F): FlagGroup<F> {
  return { title, flags };
}

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never };

/** Deprecated flags are left out of help, unless `shown`. */
export const deprecated = <T>(flag: Flag<T>, notice: string, shown?: 'shown'): Flag<T> => ({
  ...flag,
  deprecated: notice,
  hidden: shown === undefined,
});

export const shorthand = <T>(flag: Flag<T>, letter: string): Flag<T> => ({ ...flag, shorthand: letter });
