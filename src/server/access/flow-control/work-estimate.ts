// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/request/{config,width,list_work_estimator,mutating_work_estimator}.go
import type { ParsedRequest } from '../../request/stages.ts';

/** What a request will take of its priority level. */
export interface WorkEstimate {
  /** while it is served */
  readonly initialSeats: number;
  /** after it, while watches get its event */
  readonly finalSeats: number;
  readonly additionalLatencyMs: number;
}

/** What is stored of a resource. */
export interface StoredAmount {
  readonly objects: number;
  readonly averageBytes: number;
}

export interface WorkEstimatorOptions {
  /** undefined: nothing is known of the resource */
  readonly amountOf: (group: string, resource: string) => StoredAmount | undefined;
  readonly watchesOf: (request: ParsedRequest) => number;
  /** features SizeBasedListCostEstimate and WatchList */
  readonly bySize: boolean;
  readonly watchLists: boolean;
}

export type WorkEstimator = (request: ParsedRequest, maxSeats: number) => WorkEstimate;

const objectsPerSeat = 100;
const watchesPerSeat = 10;
const bytesPerSeat = 100_000;
/** lists are written while they are read: more than this is never in memory at once */
const maxListBytes = 1_000_000;
const eventLatencyMs = 5;
const maxMutatingSeats = 10;

const seats = (initialSeats: number): WorkEstimate => ({ initialSeats, finalSeats: 0, additionalLatencyMs: 0 });
const oneSeat = seats(1);

/** Small numbers come again and again. */
const someSeats = Array.from({ length: 101 }, (_, count) => seats(count));

export function createWorkEstimator({ amountOf, watchesOf, bySize, watchLists }: WorkEstimatorOptions): WorkEstimator {
  const mostListSeats = bySize ? 100 : 10;
  const list = (request: ParsedRequest, maxSeats: number): WorkEstimate => {
    const { info, query } = request;
    const most = maxSeats === 0 ? mostListSeats : Math.min(maxSeats, mostListSeats);
    const version = query.get('resourceVersion') ?? '';
    if (info.verb === 'watch' && query.get('sendInitialEvents') !== 'true' && version !== '' && version !== '0') return oneSeat;
    const amount = amountOf(info.group, info.resource);
    if (amount === undefined) return oneSeat;
    const needed = bySize ? seatsBySize(request, amount) : seatsByCount(request, amount);
    return someSeats[Math.max(1, Math.min(most, needed))] as WorkEstimate;
  };
  const mutate = (request: ParsedRequest, maxSeats: number): WorkEstimate => {
    const { resource, subresource } = request.info;
    if (resource === 'serviceaccounts' && subresource === 'token') return oneSeat;
    const watches = watchesOf(request);
    if (watches < watchesPerSeat) return oneSeat;
    const needed = Math.ceil(watches / watchesPerSeat);
    const finalSeats = Math.min(needed, maxSeats === 0 ? maxMutatingSeats : Math.min(maxSeats, maxMutatingSeats));
    return { initialSeats: 1, finalSeats, additionalLatencyMs: (needed * eventLatencyMs) / finalSeats };
  };
  const byVerb: Readonly<Record<string, WorkEstimator>> = {
    list,
    ...(watchLists && { watch: list }),
    create: mutate,
    update: mutate,
    patch: mutate,
    delete: mutate,
  };
  return (request, maxSeats) => byVerb[request.info.verb]?.(request, maxSeats) ?? oneSeat;
}

function limitOf({ query }: ParsedRequest, objects: number): number {
  const limit = Number(query.get('limit') ?? 0);
  return limit > 0 && limit < objects ? limit : objects;
}

/** Every list is served from memory here. */
function seatsBySize(request: ParsedRequest, { objects, averageBytes }: StoredAmount): number {
  const read = request.info.name === '' ? limitOf(request, objects) : 1;
  return Math.ceil(Math.min(read * averageBytes, maxListBytes) / bytesPerSeat);
}

function seatsByCount({ info }: ParsedRequest, { objects }: StoredAmount): number {
  return Math.ceil((info.name === '' ? objects : 1) / objectsPerSeat);
}
