import type { ResourceDefinition } from '../server/registry/definition.ts';

/** Kinds with behaviour of their own; every other built-in kind follows the generic rules. */
export const resourceDefinitions: readonly ResourceDefinition[] = [];
