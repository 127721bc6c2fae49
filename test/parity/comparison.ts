import type { RecordedCase, Result, Step } from './case.ts';
import { escapeKey } from './json-pointer.ts';

type Json = Record<string, unknown>;

export interface Difference {
  readonly path: string;
  readonly what: 'missing' | 'extra' | 'value';
  readonly expected?: unknown;
  readonly got?: unknown;
}

export interface Verdict {
  /** status, headers and the whole body are equal, messages included */
  readonly exact: boolean;
  /** status, reason and the set of causes of failures; bodies of successes without messages */
  readonly semantic: boolean;
  readonly causes: readonly DifferenceCause[];
}

/** A difference in words that are the same for other cases with the same cause. */
export interface DifferenceCause {
  readonly cause: string;
  readonly step: number;
  readonly expected: unknown;
  readonly got: unknown;
}

const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object';

export function differences(expected: unknown, got: unknown, most = 50): Difference[] {
  const found: Difference[] = [];
  const visit = (a: unknown, b: unknown, path: string): void => {
    if (a === b || found.length >= most) return;
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
      found.push({ path, what: 'value', expected: a, got: b });
      return;
    }
    for (const key of Object.keys(a)) {
      const at = `${path}/${escapeKey(key)}`;
      if (key in b) visit(a[key], b[key], at);
      else found.push({ path: at, what: 'missing', expected: a[key] });
    }
    for (const key of Object.keys(b)) if (!(key in a)) found.push({ path: `${path}/${escapeKey(key)}`, what: 'extra', got: b[key] });
  };
  visit(expected, got, '');
  return found;
}

const areEqual = (a: unknown, b: unknown): boolean => differences(a, b, 1).length === 0;

export function compare({ case: one, result, unordered }: RecordedCase, answered: readonly Result[]): Verdict {
  // Two causes of one field come of the entries of a map, whose order Go leaves open.
  const isLoose = unordered === true || result.some(hasRepeatedField);
  const settle = (answer: Result, index: number): Result => withoutChance(one.steps[index]?.method, isLoose ? inAnyOrder(answer) : answer);
  const expected = result.map(settle);
  const got = answered.map(settle);
  let exact = expected.length === got.length;
  let semantic = exact;
  const causes: DifferenceCause[] = [];
  for (const [index, theirs] of expected.entries()) {
    const ours = got[index];
    if (ours === undefined) break;
    if (!areEqual(theirs, ours)) {
      exact = false;
      for (const found of causesOf(one.steps[index] ?? {}, theirs, ours)) {
        causes.push({ ...found, cause: `${one.kind ?? one.category} ${found.cause}`, step: index });
      }
    }
    semantic &&= isSemanticallyEqual(theirs, ours);
  }
  return { exact, semantic, causes };
}

const isFailure = (body: unknown): body is Json => isObject(body) && body['kind'] === 'Status' && body['status'] === 'Failure';
const statusCauses = (body: Json): Json[] => ((body['details'] as Json | undefined)?.['causes'] ?? []) as Json[];

function isSemanticallyEqual(expected: Result, got: Result): boolean {
  if (expected.error !== undefined || got.error !== undefined) return expected.error === got.error;
  if (expected.status !== got.status) return false;
  if (expected.headers === undefined) return true;
  if (isFailure(expected.body)) {
    const same = isFailure(got.body) && expected.body['reason'] === got.body['reason'];
    return same && causeSet(expected.body) === causeSet(got.body as Json);
  }
  if ((expected.status ?? 0) >= 400) return true;
  const compared = ({ body, events, pb, base64, text }: Result): unknown => withoutMessages({ body, events, pb, base64, text });
  return areEqual(compared(expected), compared(got));
}

const causeSet = (body: Json): string =>
  [...new Set(statusCauses(body).map(({ field = '', reason = '' }) => `${field}|${reason}`))].toSorted().join('\n');

function withoutMessages(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMessages);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'message');
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutMessages(item)]));
}

/**
 * Upstream names the first undeclared field that it meets on each level, in the order of a Go map. How far the deletion of a definition is when it is read
 * depends on the moment.
 */
function withoutChance(method: string | undefined, result: Result): Result {
  const { body } = result;
  if (method === 'GET' && isDefinitionInDeletion(body)) return { ...result, body: withoutProgress(body) };
  if (!isFailure(body) || !String(body['message']).endsWith('field not declared in schema')) return result;
  const message = String(body['message']).replace(/\): .*$/s, '): undeclared fields');
  return { ...result, body: { ...body, message } };
}

function isDefinitionInDeletion(body: unknown): body is Json {
  return isObject(body) && body['kind'] === 'CustomResourceDefinition' && (body['metadata'] as Json)['deletionTimestamp'] !== undefined;
}

function withoutProgress(body: Json): Json {
  const { resourceVersion: _, managedFields: __, ...metadata } = body['metadata'] as Json;
  const { conditions = [], ...status } = body['status'] as { readonly conditions?: readonly Json[] };
  return { ...body, metadata, status: { ...status, conditions: conditions.filter(({ type }) => type !== 'Terminating') } };
}

function hasRepeatedField({ body }: Result): boolean {
  if (!isFailure(body)) return false;
  const fields = statusCauses(body).map(({ field }) => field);
  return new Set(fields).size < fields.length;
}

function inAnyOrder(result: Result): Result {
  const { body } = result;
  if (!isFailure(body) || !Array.isArray((body['details'] as Json | undefined)?.['causes'])) return result;
  const causes = statusCauses(body);
  const items = causes.map(({ field, message }) => `${field}: ${message}`);
  const tail = `[${items.join(', ')}]`;
  const message = String(body['message']);
  const sorted = causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const start = message.endsWith(tail)
    ? `${message.slice(0, -tail.length)}[${items.toSorted().join(', ')}]`
    : `${message.split(/: \[/)[0]}…`;
  return { ...result, body: { ...body, message: start, details: { ...(body['details'] as Json), causes: sorted } } };
}

const namedSubresource = /\/(status|scale|approval|binding|eviction|token|finalize|resize|ephemeralcontainers)$/;

/** The same cause gives the same words in whichever object it shows. */
function* causesOf(step: Step, expected: Result, got: Result): Generator<Omit<DifferenceCause, 'step'>> {
  const path = (step.path ?? '').split('?')[0] as string;
  const verb = [step.method ?? 'collect', namedSubresource.exec(path)?.[1] ?? ''].join(' ').trim();
  if (expected.error !== undefined || got.error !== undefined) {
    const [a, b] = [expected.error ?? expected.status, got.error ?? got.status];
    yield { cause: `${verb} transport ${a}→${b}`, expected: a, got: b };
    return;
  }
  if (expected.status !== got.status) {
    const failure = [expected.body, got.body].find(isFailure);
    const fields = failure && statusCauses(failure).map(({ field, reason }) => `${generalField(field)}:${reason ?? ''}`);
    const why = fields?.slice(0, 2).join(',') || failure?.['reason'];
    const messageOf = ({ body, status }: Result): unknown => (isFailure(body) ? body['message'] : status);
    const cause = `${verb} status ${expected.status}→${got.status}${why === undefined ? '' : ` (${why})`}`;
    yield { cause, expected: messageOf(expected), got: messageOf(got) };
    return;
  }
  const found = new Map<string, Omit<DifferenceCause, 'step'>>();
  for (const one of differences(expected, got, 40)) {
    const cause = `${verb} ${generalPath(one.path)} ${changeOf(one)}`;
    if (!found.has(cause)) found.set(cause, { cause, expected: one.expected, got: one.got });
  }
  // A message differs because its causes do: they say more.
  const hasCauses = [...found.keys()].some((cause) => cause.includes(' /details/causes'));
  for (const [cause, difference] of found) if (!hasCauses || !cause.includes(' /message ')) yield difference;
}

const generalField = (field: unknown): string => String(field ?? '').replaceAll(/\[[^\]]*\]/g, '[*]');

function generalPath(path: string): string {
  const general = path
    .replaceAll(/\/\d+(?=\/|$)/g, '/*')
    .replace(/(\/managedFields).*/, '$1')
    .replace(/^\/body/, '');
  return general.startsWith('/details/causes') ? general.replace(/\/\*$/, '') : general;
}

function changeOf({ what, expected, got }: Difference): string {
  if (what !== 'value') return what;
  const isShort = typeof expected === 'string' && typeof got === 'string' && expected.length < 40 && got.length < 40;
  return isShort ? `${JSON.stringify(expected)}→${JSON.stringify(got)}` : 'differs';
}
