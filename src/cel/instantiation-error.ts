/** Thrown when a checked expression cannot become a program, as `int('x')` cannot. */
export class InstantiationError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}
