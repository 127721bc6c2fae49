import type { Pod } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

export type PodObject = Pod & KubeObject;
