import type { StoreCommand } from './store-command.ts';

/** Commands on stores by name; each is loaded when it is asked for. */
export const storeCommands: Readonly<Record<string, () => Promise<StoreCommand>>> = {
  backup: async () => (await import('./backup-command.ts')).backupCommand,
  restore: async () => (await import('./restore-command.ts')).restoreCommand,
  verify: async () => (await import('./verify-command.ts')).verifyCommand,
  compact: async () => (await import('./compact-command.ts')).compactCommand,
  migrate: async () => (await import('./migrate-command.ts')).migrateCommand,
};
