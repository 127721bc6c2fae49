/** The text without these characters at its end. By hand: a pattern such as `x+$` is tried again at every one of them. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return end === text.length ? text : text.slice(0, end);
}
