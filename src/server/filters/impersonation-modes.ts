// Upstream: k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../machinery/errors.ts';
import { FieldPath, aggregateMessage } from '../../machinery/field.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { nameIsDnsSubdomain } from '../../machinery/names.ts';
import { validateDomainPrefixedPath } from '../../machinery/qualified-names.ts';
import { accountGroups, accountOfUser } from '../access/authn/service-account/account.ts';
import type { UserInfo } from '../request/user.ts';
import { anonymousUser, authenticatedGroup, privilegedGroup, unauthenticatedGroup } from '../request/user.ts';
import type { Attributes, Authorizer } from '../request/authorizer.ts';
import { forbiddenRequest } from '../request/forbidden.ts';

export interface Impersonation {
  readonly user: UserInfo;
  /** the verb that allowed it, where that was for some requests only */
  readonly constraint: string;
}

/** One way to be allowed to act as another user. Undefined: it does not apply; throws when it does and forbids. */
export type ImpersonationMode = (wanted: UserInfo, request: Attributes, authorizer: Authorizer) => Promise<Impersonation | undefined>;

const authenticationGroup = { group: 'authentication.k8s.io', version: 'v1' };
const coreGroup = { group: '', version: 'v1' };
const nodePrefix = 'system:node:';
const nodeNameKey = 'authentication.kubernetes.io/node-name';
/** from here on one question about everything is tried before many about each */
const many = 4;
const rememberedUsers = 10_000;
/** checks before other requests get their turn: an authorizer that decides from memory never yields by itself */
const askedAtOnce = 100;

/** Asks whether the requestor may act as the user for this very request, then whether as the user at all. */
function constrained(
  mode: string,
  applies: (wanted: UserInfo, requestor: UserInfo) => boolean,
  asAsked: (attributes: Attributes) => Attributes = (attributes) => attributes,
): ImpersonationMode {
  return async (wanted, request, authorizer) => {
    if (!applies(wanted, request.user)) return undefined;
    const checked: Authorizer = { authorize: (attributes) => authorizer.authorize(asAsked(attributes)) };
    await require(checked, { ...request, verb: `impersonate-on:${mode}:${request.verb}` });
    return impersonated(wanted, request.user, `impersonate:${mode}`, true, checked);
  };
}

/** All kinds of nodes look the same to the authorizer when one impersonates the node it runs on. */
function asAnyNode(attributes: Attributes): Attributes {
  const extra = { 'authentication.kubernetes.io/associated-node-keys': Object.keys(attributes.user.extra).toSorted() };
  const user = { ...attributes.user, extra };
  return attributes.verb === 'impersonate:associated-node' ? { ...attributes, user, name: '*' } : { ...attributes, user };
}

export const legacyMode: ImpersonationMode = (wanted, { user }, authorizer) => impersonated(wanted, user, 'impersonate', false, authorizer);

/** In the order in which they are tried. */
export const allModes: readonly ImpersonationMode[] = [
  constrained('associated-node', (wanted, requestor) => isNameOnly(wanted) && runsOn(requestor, wanted.name), asAnyNode),
  constrained('arbitrary-node', (wanted) => isNameOnly(wanted) && nodeOf(wanted.name) !== undefined),
  constrained('serviceaccount', (wanted) => isNameOnly(wanted) && accountOfUser(wanted.name) !== undefined),
  constrained('user-info', ({ name }) => nodeOf(name) === undefined && accountOfUser(name) === undefined),
  legacyMode,
];

/** Which mode was the last that allowed one user to act as another. */
export class LastModes {
  readonly #modes = new Map<string, ImpersonationMode>();

  of({ name }: UserInfo): ImpersonationMode | undefined {
    return this.#modes.get(name);
  }

  remember({ name }: UserInfo, mode: ImpersonationMode): void {
    // last in the order of the map: the first is who was heard of least recently
    this.#modes.delete(name);
    this.#modes.set(name, mode);
    const [oldest] = this.#modes.keys();
    if (this.#modes.size > rememberedUsers && oldest !== undefined) this.#modes.delete(oldest);
  }
}

/** The first mode that allows wins, and is tried first next time; when none does, the first refusal is the result. */
export async function impersonatedBy(
  modes: readonly ImpersonationMode[],
  wanted: UserInfo,
  request: Attributes,
  authorizer: Authorizer,
  lastModes = new LastModes(),
): Promise<Impersonation> {
  let refusal: unknown;
  const last = lastModes.of(request.user);
  for (const mode of last === undefined ? modes : [last, ...modes.filter((one) => one !== last)]) {
    try {
      const impersonation = await mode(wanted, request, authorizer);
      if (impersonation === undefined) continue;
      lastModes.remember(request.user, mode);
      return impersonation;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new Error('all impersonation modes failed');
}

async function impersonated(
  wanted: UserInfo,
  requestor: UserInfo,
  verb: string,
  isConstrained: boolean,
  authorizer: Authorizer,
): Promise<Impersonation> {
  const ask = (question: Partial<Attributes>): Attributes => ({
    user: requestor,
    verb,
    isResource: true,
    path: '',
    ...authenticationGroup,
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    ...question,
  });
  const named = isConstrained ? authenticationGroup : coreGroup;
  const groups = await requireName(wanted, ask({ ...named, resource: 'users', name: wanted.name }), isConstrained, authorizer);
  if (wanted.uid !== '') await require(authorizer, ask({ resource: 'uids', name: wanted.uid }));
  await requireGroups(wanted.groups, ask({ ...named, resource: 'groups' }), isConstrained, authorizer);
  await requireExtra(wanted.extra, ask({ resource: 'userextras' }), isConstrained, authorizer);
  return { user: { ...wanted, groups: withSystemGroup(wanted.name, groups) }, constraint: isConstrained ? verb : '' };
}

/** Returns the groups that come with the name. */
async function requireName(
  wanted: UserInfo,
  question: Attributes,
  isConstrained: boolean,
  authorizer: Authorizer,
): Promise<readonly string[]> {
  const { name, groups } = wanted;
  const node = isConstrained ? nodeOf(name) : undefined;
  const account = accountOfUser(name);
  const asked =
    node !== undefined
      ? { ...question, resource: 'nodes', name: node }
      : account !== undefined
        ? { ...question, resource: 'serviceaccounts', ...account }
        : question;
  if (isConstrained && groups.length > 0 && asked !== question) {
    const noun = node === undefined ? 'service account' : 'node';
    throw forbiddenRequest(asked, `when impersonating a ${noun}, cannot impersonate groups [${groups.map(goQuote).join(' ')}]`);
  }
  await require(authorizer, asked);
  if (node !== undefined) return ['system:nodes'];
  return account !== undefined && groups.length === 0 ? accountGroups(account.namespace) : groups;
}

async function requireGroups(
  groups: readonly string[],
  question: Attributes,
  isConstrained: boolean,
  authorizer: Authorizer,
): Promise<void> {
  if (isConstrained && groups.includes('')) throw forbiddenRequest(question, 'impersonating the empty string group is not allowed');
  if (isConstrained && groups.includes(privilegedGroup)) {
    throw forbiddenRequest({ ...question, name: privilegedGroup }, 'impersonating the system:masters group is not allowed');
  }
  if (isConstrained && groups.length >= many && (await allows(authorizer, { ...question, name: '*' }))) return;
  let asked = 0;
  for (const name of groups) {
    await require(authorizer, { ...question, name });
    if (++asked % askedAtOnce === 0) await setImmediate();
  }
}

async function requireExtra(extra: UserInfo['extra'], question: Attributes, isConstrained: boolean, authorizer: Authorizer): Promise<void> {
  const entries = Object.entries(extra);
  if (entries.length === 0) return;
  if (isConstrained) {
    const problem = extraProblem(entries);
    if (problem !== undefined) throw forbiddenRequest(question, problem);
    const count = entries.reduce((sum, [, values]) => sum + values.length, 0);
    const isLarge = entries.length >= many || count >= many;
    if (isLarge && (await allows(authorizer, { ...question, subresource: '*', name: '*' }))) return;
  }
  let asked = 0;
  for (const [subresource, values] of entries) {
    for (const name of values) {
      await require(authorizer, { ...question, subresource, name });
      if (++asked % askedAtOnce === 0) await setImmediate();
    }
  }
}

function extraProblem(entries: readonly (readonly [string, readonly string[]])[]): string | undefined {
  for (const [key, values] of entries) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const errors = validateDomainPrefixedPath(key, FieldPath.root('extra', 'key'));
    if (errors.length > 0) return `impersonating an invalid key in extra is not allowed: ${aggregateMessage(errors)}`;
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

async function require(authorizer: Authorizer, attributes: Attributes): Promise<void> {
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === 'allow') return;
  throw forbiddenRequest(attributes, [error, reason].filter((text) => text !== undefined && text !== '').join(': '));
}

async function allows(authorizer: Authorizer, attributes: Attributes): Promise<boolean> {
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

/** An impersonated user is authenticated, or is system:anonymous. */
function withSystemGroup(name: string, groups: readonly string[]): readonly string[] {
  const isAnonymous = name === anonymousUser || groups.includes(unauthenticatedGroup);
  const group = isAnonymous ? unauthenticatedGroup : authenticatedGroup;
  return groups.includes(group) ? groups : [...groups, group];
}

function isNameOnly({ uid, groups, extra }: UserInfo): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

function nodeOf(user: string): string | undefined {
  if (!user.startsWith(nodePrefix)) return undefined;
  const name = user.slice(nodePrefix.length);
  return nameIsDnsSubdomain(name, false).length === 0 ? name : undefined;
}

/** A service account whose token says that its pod runs on that node. */
function runsOn({ name, extra }: UserInfo, user: string): boolean {
  const node = nodeOf(user);
  const said = extra[nodeNameKey];
  return node !== undefined && accountOfUser(name) !== undefined && said?.length === 1 && said[0] === node;
}
