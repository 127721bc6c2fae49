// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/types.go, k8s.io/apimachinery/pkg/apis/meta/internalversion/types.go
import type { FieldSelector } from './fields.ts';
import type { Selector } from './labels.ts';

export interface GetOptions {
  readonly resourceVersion: string;
}

export interface ListOptions {
  readonly labelSelector: Selector;
  readonly fieldSelector: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds?: number;
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents?: boolean;
  readonly shardSelector: string;
}

export interface CreateOptions {
  readonly dryRun: readonly string[];
  readonly fieldManager: string;
  readonly fieldValidation: string;
}

export interface UpdateOptions extends CreateOptions {}

export interface PatchOptions extends CreateOptions {
  readonly force?: boolean;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** From the query, or the body of the request: then it is a canonical object with absent members. */
export interface DeleteOptions {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: Preconditions;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export interface TableOptions {
  readonly includeObject: string;
}

/** The media types of a patch; apply has rules of its own. */
export type PatchType =
  | 'application/json-patch+json'
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json'
  | 'application/apply-patch+yaml'
  | 'application/apply-patch+cbor';
