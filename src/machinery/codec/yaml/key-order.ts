// Upstream: go.yaml.in/yaml/v2/sorter.go

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** Orders map keys as upstream writes them: text by character, runs of digits by value, letters after everything else. */
export function compareKeys(left: string, right: string): number {
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
