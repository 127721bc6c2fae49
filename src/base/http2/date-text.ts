/** The value of `Date` headers, made once a second. */
export class DateText {
  #text = '';
  #until = 0;

  now(): string {
    const now = Date.now();
    if (now >= this.#until || now < this.#until - 1000) {
      this.#until = (Math.floor(now / 1000) + 1) * 1000;
      this.#text = new Date(now).toUTCString();
    }
    return this.#text;
  }
}
