/** Joins those who write definitions of custom resources with the part of the server that serves what they define. */
export class DefinitionProgress {
  #settle: ((name: string) => Promise<void>) | undefined;

  /** `settle` resolves when a definition, as it is now stored, is served and has its conditions. */
  follow(settle: (name: string) => Promise<void>): void {
    this.#settle = settle;
  }

  /** Resolves at once while the server does not serve custom resources yet. */
  async settled(name: string): Promise<void> {
    await this.#settle?.(name);
  }
}
