/** Why a migration cannot go on, in one line for who asked for it. What was there before is still there. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Values that cannot be read or written name their key. */
export async function about<T>(key: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = reason.includes('encrypted data') ? '; --encryption-provider-config says how values are encrypted' : '';
    throw new MigrationError(`the value of ${key} cannot be moved: ${reason}${hint}`, { cause: error });
  }
}

/** Called with how much of a stage is done. */
export type Progress = (stage: string, done: number, total: number) => void;
