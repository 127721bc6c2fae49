// Upstream: go.yaml.in/yaml/v2/sorter.go

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** Orders map keys as upstream writes them: text by character, runs of digits by value, letters after everything else. */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  return (at < length ? compareAscii(left, right, at) : undefined) ?? compareCharacters(left, right);
}

/** Where they differ, if what matters there is ASCII and no more digits than a number holds: a fraction of the time. */
function compareAscii(left: string, right: string, at: number): number | undefined {
  const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
  if (a > 0x7f || b > 0x7f) return undefined;
  const [leftLetter, rightLetter] = [isAsciiLetter(a), isAsciiLetter(b)];
  if (leftLetter && rightLetter) return a - b;
  if (leftLetter || rightLetter) return rightLetter ? -1 : 1;
  if (!isAsciiDigit(a) && !isAsciiDigit(b)) return a - b;
  if (a === 0x30 || b === 0x30) return undefined;
  const leftEnd = endOfDigits(left, at);
  const rightEnd = endOfDigits(right, at);
  if (left.charCodeAt(leftEnd) > 0x7f || right.charCodeAt(rightEnd) > 0x7f || Math.max(leftEnd, rightEnd) - at > 15) return undefined;
  return Number(left.slice(at, leftEnd)) - Number(right.slice(at, rightEnd)) || leftEnd - rightEnd || a - b;
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isAsciiDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function endOfDigits(text: string, at: number): number {
  let end = at;
  while (isAsciiDigit(text.charCodeAt(end))) end++;
  return end;
}

function compareCharacters(left: string, right: string): number {
  if (left === right) return 0;
  const a = [...left];
  const b = [...right];
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    if (a[index] !== b[index]) return compareAt(a, b, index);
  }
  return a.length - b.length;
}

function compareAt(a: readonly string[], b: readonly string[], index: number): number {
  const [left, right] = [a[index]!, b[index]!];
  const [leftLetter, rightLetter] = [letter.test(left), letter.test(right)];
  if (leftLetter && rightLetter) return left.codePointAt(0)! - right.codePointAt(0)!;
  if (leftLetter || rightLetter) return rightLetter ? -1 : 1;
  // zeros that follow another digit are part of a larger number, not leading zeros
  const inside = (left === '0' || right === '0') && followsNonZeroDigit(a, index);
  const [leftValue, leftEnd] = numberAt(a, index, inside);
  const [rightValue, rightEnd] = numberAt(b, index, inside);
  if (leftValue !== rightValue) return leftValue < rightValue ? -1 : 1;
  return leftEnd - rightEnd || left.codePointAt(0)! - right.codePointAt(0)!;
}

function followsNonZeroDigit(characters: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= 0 && digit.test(characters[at]!); at--) if (characters[at] !== '0') return true;
  return false;
}

function numberAt(characters: readonly string[], index: number, inside: boolean): readonly [bigint, number] {
  let value = inside ? 1n : 0n;
  let at = index;
  for (; at < characters.length && digit.test(characters[at]!); at++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(characters[at]!.codePointAt(0)! - 0x30));
  }
  return [value, at];
}
