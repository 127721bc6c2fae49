// Upstream: k8s.io/kubernetes/pkg/registry/resource/utils.go#AuthorizedForAdminStatus, #AuthorizedForBinding, #AuthorizedForDeviceStatus
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden } from '../../../machinery/field.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { AllocatedDeviceStatus, AllocationResult, ResourceClaimStatus } from '../../../schema/types/resource-v1.ts';
import { accountOfUser } from '../../../server/access/authn/service-account/account.ts';
import type { UserInfo } from '../../../server/request/user.ts';
import type { Attributes } from '../../../server/request/authorizer.ts';
import { forbiddenRequest } from '../../../server/request/forbidden.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { validateAdminNamespace } from '../../common/device/admin-access.ts';
import { deviceId } from './device-ids.ts';
import type { ClaimObject } from './validation.ts';

const statusPath = FieldPath.root('status');
const resultsPath = statusPath.child('allocation', 'devices', 'results');
const nodeNameKey = 'authentication.kubernetes.io/node-name';

/** Who may write a claim's status may not yet decide who gets its devices, nor speak for their drivers. */
export async function authorizeStatus(claim: ClaimObject, old: ClaimObject | undefined, context: WriteContext): Promise<FieldError[]> {
  const { status } = claim;
  const before = old?.status ?? {};
  const errors = await validateAdminResults(status, before, context);
  // Writes of the server itself are not authorized.
  if (context.verb === undefined || !context.features.enabled('DRAResourceClaimGranularStatusAuthorization')) return errors;
  append(errors, await authorizeBinding(status, before, context, context.verb));
  if (status.allocation !== undefined && context.features.enabled('DRAResourceClaimDeviceStatus')) {
    append(errors, await authorizeDrivers(status, before, context, context.verb));
  }
  return errors;
}

async function validateAdminResults(status: ResourceClaimStatus, old: ResourceClaimStatus, context: WriteContext): Promise<FieldError[]> {
  const adminResult = ({ allocation }: ResourceClaimStatus): number =>
    (allocation?.devices.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
  const index = adminResult(status);
  if (index < 0 || adminResult(old) >= 0) return [];
  return validateAdminNamespace(resultsPath.index(index).child('adminAccess'), context);
}

async function authorizeBinding(
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  context: WriteContext,
  verb: string,
): Promise<FieldError[]> {
  if (semanticDeepEqual(status.allocation, old.allocation) && semanticDeepEqual(status.reservedFor, old.reservedFor)) return [];
  const denial = await denialOf({ verb, subresource: 'binding', namespace: '', name: '' }, context);
  if (denial === undefined) return [];
  const needed = `resource="resourceclaims/binding", verb="${verb}" permission`;
  return [forbidden(statusPath.child('allocation'), `changing status.allocation or status.reservedFor requires ${needed}: ${denial}`)];
}

async function authorizeDrivers(
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  context: WriteContext,
  verb: string,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const arbitrary = `arbitrary-node:${verb}`;
  const verbs = isOnNode(context.user, nodeOf(status.allocation)) ? [`associated-node:${verb}`, arbitrary] : [arbitrary];
  for (const driver of changedDrivers(status.devices ?? [], old.devices ?? [])) {
    const denial = await denialOfAll(verbs, driver, context);
    if (denial === undefined) continue;
    const needed = `resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`;
    errors.push(forbidden(statusPath.child('devices'), `changing status.devices requires ${needed}: ${denial}`));
  }
  return errors;
}

/** One verb is enough; the first denial is returned. */
async function denialOfAll(verbs: readonly string[], driver: string, context: WriteContext): Promise<string | undefined> {
  let first: string | undefined;
  for (const verb of verbs) {
    const denial = await denialOf({ verb, subresource: 'driver', namespace: context.namespace, name: driver }, context);
    if (denial === undefined) return undefined;
    first ??= denial;
  }
  return first;
}

/** Why the user may not; undefined when they may. */
async function denialOf(
  asked: Pick<Attributes, 'verb' | 'subresource' | 'namespace' | 'name'>,
  { user, version, authorizer, namespace, name }: WriteContext,
): Promise<string | undefined> {
  const attributes: Attributes = {
    user,
    isResource: true,
    path: `/apis/resource.k8s.io/${version}/namespaces/${namespace}/resourceclaims/${name}/status`,
    group: 'resource.k8s.io',
    version,
    resource: 'resourceclaims',
    ...asked,
  };
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === 'allow') return undefined;
  return forbiddenRequest(attributes, [error, reason].filter(Boolean).join(': ')).status.message;
}

function changedDrivers(devices: readonly AllocatedDeviceStatus[], old: readonly AllocatedDeviceStatus[]): string[] {
  const left = new Map(old.map((device) => [deviceId(device), device]));
  const drivers = new Set<string>();
  for (const device of devices) {
    const before = left.get(deviceId(device));
    left.delete(deviceId(device));
    if (before === undefined || !semanticDeepEqual(before, device)) drivers.add(device.driver);
  }
  for (const { driver } of left.values()) drivers.add(driver);
  return [...drivers].sort();
}

/** The node that an allocation is bound to, where it is bound to one by name. */
function nodeOf(allocation: AllocationResult | undefined): string | undefined {
  const terms = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [term] = terms;
  if (term === undefined || terms.length > 1 || term.matchExpressions?.length || term.matchFields?.length !== 1) return undefined;
  const { key, operator, values = [] } = term.matchFields[0]!;
  return key === 'metadata.name' && operator === 'In' && values.length === 1 ? values[0] : undefined;
}

/** A service account whose token says that it runs on the node. */
function isOnNode({ name, extra }: UserInfo, node: string | undefined): boolean {
  if (node === undefined || accountOfUser(name) === undefined) return false;
  const nodes = extra[nodeNameKey] ?? [];
  return nodes.length === 1 && nodes[0] === node && nameIsDnsSubdomain(node, false).length === 0;
}
