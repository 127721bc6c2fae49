import type { Steps } from '../../../base/steps.ts';
import { Scanner } from './scanner.ts';
import type { Token, Tokens } from './scanner.ts';

/** What is not longer is scanned while it is parsed. */
const longText = 64 * 1024;
/** So many are kept at most; the rest is scanned while it is parsed. */
const mostTokens = 250_000;
const tokensInStep = 256;

/** The tokens of a text; those of a long one are scanned first, as a scanner can stop anywhere and a parser cannot. */
export function* tokensOf(text: string): Steps<Tokens> {
  const scanner = new Scanner(text);
  if (text.length <= longText) return scanner;
  const scanned = new ScannedTokens(scanner);
  yield* scanned.scan();
  return scanned;
}

class ScannedTokens implements Tokens {
  readonly #scanner: Scanner;
  readonly #tokens: Token[] = [];
  #next = 0;
  /** what the scanner has found after the last token */
  #fault: { readonly error: unknown } | undefined;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Up to the end of the first document: no other is read. */
  *scan(): Steps<void> {
    let hasBegun = false;
    while (this.#tokens.length < mostTokens) {
      let token: Token;
      try {
        token = this.#scanner.take();
      } catch (error) {
        this.#fault = { error };
        return;
      }
      const { kind } = token;
      this.#tokens.push(token);
      if (hasBegun ? kind === 'document start' || kind === 'document end' || kind === 'stream end' : kind === 'stream end') return;
      hasBegun ||= kind !== 'version' && kind !== 'tag directive';
      if (this.#tokens.length % tokensInStep === 0) yield;
    }
  }

  peek(): Token {
    const token = this.#tokens[this.#next];
    if (token !== undefined) return token;
    if (this.#fault !== undefined) throw this.#fault.error;
    return this.#scanner.peek();
  }

  take(): Token {
    const token = this.peek();
    if (this.#next < this.#tokens.length) this.#next++;
    else this.#scanner.take();
    return token;
  }
}
