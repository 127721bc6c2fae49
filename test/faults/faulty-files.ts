import type { Files, WritableFile } from '../../src/storage/drivers/embedded/files.ts';
import { diskFiles } from '../../src/storage/drivers/embedded/files.ts';

export type Fault =
  /** the call fails and nothing is written */
  | 'refuse'
  /** half of the bytes are written, then the call fails */
  | 'tear'
  /** everything is written, but the call says it failed */
  | 'lie';

export interface FaultPlan {
  /** Asked before each call; undefined: let it through. */
  decide(call: 'create' | 'write' | 'sync', path: string): Fault | undefined;
}

/** Files on the real disk whose writing fails when the plan says so. */
export function faultyFiles(plan: FaultPlan, code = 'EIO'): Files {
  const fail = (call: string): Error => Object.assign(new Error(`${code}: injected, ${call}`), { code });
  return {
    async create(path): Promise<WritableFile> {
      if (plan.decide('create', path) !== undefined) throw fail('create');
      const file = await diskFiles.create(path);
      return {
        async write(bytes, position) {
          const fault = plan.decide('write', path);
          if (fault === 'tear') await file.write(bytes.subarray(0, bytes.length >> 1), position);
          if (fault === undefined || fault === 'lie') await file.write(bytes, position);
          if (fault !== undefined) throw fail('write');
        },
        async sync() {
          const fault = plan.decide('sync', path);
          if (fault !== 'refuse') await file.sync();
          if (fault !== undefined) throw fail('sync');
        },
        async writeThrough(this: WritableFile, bytes, position) {
          await this.write(bytes, position);
          await this.sync();
        },
        close: () => file.close(),
      };
    },
  };
}

/**
 * Files as a power cut leaves them: of what is written, only some sectors reach the disk before the next sync.
 * Killing the process then loses what was not synced, which the kernel would otherwise keep.
 */
export function forgetfulFiles(random: () => number): Files {
  const SECTOR = 512;
  return {
    async create(path): Promise<WritableFile> {
      const file = await diskFiles.create(path);
      let unsynced: { bytes: Buffer; position: number }[] = [];
      return {
        async write(bytes, position) {
          unsynced.push({ bytes: Buffer.from(bytes), position });
          const survives = random();
          for (let at = 0; at < bytes.length && survives < 0.5; at += SECTOR) {
            if (random() < survives * 2) await file.write(bytes.subarray(at, at + SECTOR), position + at);
          }
        },
        async sync() {
          for (const { bytes, position } of unsynced) await file.write(bytes, position);
          unsynced = [];
          await file.sync();
        },
        async writeThrough(this: WritableFile, bytes, position) {
          await this.write(bytes, position);
          await this.sync();
        },
        close: () => file.close(),
      };
    },
  };
}
