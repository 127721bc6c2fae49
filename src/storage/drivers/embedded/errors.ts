/** A file of the store cannot be read, and it is not the unfinished end of a log. */
export class DamagedStorageError extends Error {
  readonly path: string;
  constructor(path: string, position: number, why: string) {
    super(`${path} is damaged at byte ${position}: ${why}. Restore the data directory from a backup`);
    this.name = 'DamagedStorageError';
    this.path = path;
  }
}

/** The directory cannot be opened at all; the message says why and what to do. */
export class StorageOpenError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageOpenError';
  }
}
