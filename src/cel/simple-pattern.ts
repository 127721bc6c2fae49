const classPattern = String.raw`\[(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_.:/]|\\[.\-/]|-(?=\]))+\]|\[-(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_.:/])+\]`;
const atom = String.raw`(?:${classPattern}|\\[.\-/dw]|[A-Za-z0-9_:/-])`;
const simpleSubset = new RegExp(String.raw`^\^(?:\(?${atom}[*+]?\)?\??)*\$$`);

/**
 * The native form of a pattern that means the same in RE2 and in JS and cannot backtrack for long: anchored at both ends, ASCII
 * classes and literals, at most one unbounded repetition and one optional part. Names and labels are matched by such patterns.
 */
export function simplePattern(pattern: string): RegExp | undefined {
  if (pattern.length > 200 || !simpleSubset.test(pattern)) return undefined;
  const outsideClasses = pattern.replaceAll(new RegExp(classPattern, 'g'), 'x');
  if ((outsideClasses.match(/[*+]/g)?.length ?? 0) > 1 || (outsideClasses.match(/\?/g)?.length ?? 0) > 1) return undefined;
  try {
    return new RegExp(pattern);
  } catch (cause) {
    // Unbalanced groups and reversed ranges: RE2 says what is wrong with them.
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
