// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/{types,conversion}.go, k8s.io/apimachinery/pkg/runtime/conversion.go
// Upstream: k8s.io/apimachinery/pkg/apis/meta/internalversion
import { badRequest, invalid as invalidStatus } from './errors.ts';
import type { FieldError } from './field.ts';
import { FieldSelector, FieldSelectorError, parseFieldSelector } from './fields.ts';
import { NumberSyntaxError, parseInt64 } from './go-number.ts';
import { parseLabelSelector } from './label-parser.ts';
import { LabelSelectorError, Selector } from './labels.ts';
import type {
  CreateOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  PatchType,
  TableOptions,
  UpdateOptions,
} from './option-types.ts';
import {
  validateCreateOptions,
  validateDeleteOptions,
  validateListOptions,
  validatePatchOptions,
  validateTableOptions,
  validateUpdateOptions,
} from './options-validation.ts';

export type * from './option-types.ts';
export { validateDeleteOptions } from './options-validation.ts';

export function decodeGetOptions(query: URLSearchParams): GetOptions {
  return { resourceVersion: query.get('resourceVersion') ?? '' };
}

/** Parameters only, without defaults and checks: what authorization looks at. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  return orBadRequest(() => {
    const timeoutSeconds = integer(query, 'timeoutSeconds');
    const limit = integer(query, 'limit') ?? 0;
    const sendInitialEvents = boolean(query, 'sendInitialEvents');
    const labels = query.get('labelSelector');
    const fields = query.get('fieldSelector');
    return {
      labelSelector: labels === null ? Selector.everything : parseLabelSelector(labels),
      fieldSelector: fields === null ? FieldSelector.everything : parseFieldSelector(fields),
      watch: boolean(query, 'watch') ?? false,
      allowWatchBookmarks: boolean(query, 'allowWatchBookmarks') ?? false,
      resourceVersion: query.get('resourceVersion') ?? '',
      resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      limit,
      continue: query.get('continue') ?? '',
      ...(sendInitialEvents !== undefined && { sendInitialEvents }),
      shardSelector: query.get('shardSelector') ?? '',
    };
  });
}

export interface ListOptionsContext {
  /** the WatchList feature, on by default */
  readonly watchList?: boolean;
}

export function decodeListOptions(query: URLSearchParams, { watchList = true }: ListOptionsContext = {}): ListOptions {
  const options = withListDefaults(parseListOptions(query), watchList);
  check('ListOptions', validateListOptions(options, watchList));
  return options;
}

/** A watch from "any revision" asks for the present state first, as if it had said so. */
function withListDefaults(options: ListOptions, watchList: boolean): ListOptions {
  if (!watchList || !options.watch || options.sendInitialEvents !== undefined || options.resourceVersionMatch !== '') return options;
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

export function decodeCreateOptions(query: URLSearchParams): CreateOptions {
  const options = writeOptions(query);
  check('CreateOptions', validateCreateOptions(options));
  return options;
}

export function decodeUpdateOptions(query: URLSearchParams): UpdateOptions {
  const options = writeOptions(query);
  check('UpdateOptions', validateUpdateOptions(options));
  return options;
}

export function decodePatchOptions(query: URLSearchParams, patchType: PatchType): PatchOptions {
  const force = boolean(query, 'force');
  const options = { ...writeOptions(query), ...(force !== undefined && { force }) };
  check('PatchOptions', validatePatchOptions(options, patchType));
  return options;
}

/** Of a DELETE without a body. One with a body has its options there, and `checkDeleteOptions` for them. */
export function decodeDeleteOptions(query: URLSearchParams): DeleteOptions {
  const options = parseDeleteOptions(query);
  checkDeleteOptions(options);
  return options;
}

export function checkDeleteOptions(options: DeleteOptions): void {
  check('DeleteOptions', validateDeleteOptions(options));
}

function parseDeleteOptions(query: URLSearchParams): DeleteOptions {
  const gracePeriodSeconds = orBadRequest(() => integer(query, 'gracePeriodSeconds'));
  const orphanDependents = boolean(query, 'orphanDependents');
  const propagationPolicy = query.get('propagationPolicy');
  const dryRun = query.getAll('dryRun');
  const ignore = boolean(query, 'ignoreStoreReadErrorWithClusterBreakingPotential');
  const uid = query.get('uid') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  const preconditions = { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) };
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...((uid !== '' || resourceVersion !== '') && { preconditions }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== null && { propagationPolicy }),
    ...(dryRun.length > 0 && { dryRun }),
    ...(ignore !== undefined && { ignoreStoreReadErrorWithClusterBreakingPotential: ignore }),
  };
}

/** What a Table carries of each object. */
export function decodeTableOptions(query: URLSearchParams): TableOptions {
  const options = { includeObject: query.get('includeObject') ?? '' };
  const [error] = validateTableOptions(options);
  if (error !== undefined) throw badRequest(`Unable to convert to Table as requested: ${error}`);
  return options;
}

function writeOptions(query: URLSearchParams): CreateOptions {
  return {
    dryRun: query.getAll('dryRun'),
    fieldManager: query.get('fieldManager') ?? '',
    fieldValidation: query.get('fieldValidation') ?? '',
  };
}

/** Only `0` and `false` mean false; an empty value means true. */
function boolean(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value !== '0' && value.toLowerCase() !== 'false';
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  return value === null ? undefined : Number(parseInt64(value));
}

function orBadRequest<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof NumberSyntaxError || error instanceof LabelSelectorError || error instanceof FieldSelectorError) {
      throw badRequest(error.message, { cause: error });
    }
    throw error;
  }
}

function check(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidStatus({ group: 'meta.k8s.io', kind }, '', errors);
}
