// Upstream: apiserver/pkg/registry/rest/validate.go
import type { FieldError } from '../../machinery/field.ts';

/** What a validator finds. Rules that the original declares in its schema speak after those that it has written by hand. */
export class Findings {
  readonly #written: FieldError[] = [];
  readonly #declared: FieldError[] = [];

  add(...errors: readonly FieldError[]): void {
    this.#written.push(...errors);
  }

  declare(...errors: readonly FieldError[]): void {
    this.#declared.push(...errors);
  }

  get errors(): FieldError[] {
    return [...this.#written, ...this.#declared];
  }
}
