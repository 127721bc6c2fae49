// Upstream: std/crypto/x509/verify.go#policiesValid
// RFC 5280 section 6.1 as RFC 9618 changes it.
import type { Certificate } from './certificate.ts';

const anyPolicy = '551d2000';

/** A policy that some certificate of the chain allows, below those of the certificate before. */
interface PolicyNode {
  readonly policy: string;
  readonly parents: Set<PolicyNode>;
  readonly children: Set<PolicyNode>;
  expected: readonly string[];
}

type Level = Map<string, PolicyNode>;

/** Whether a chain, the leaf first, is allowed to be used under some policy, where one of its certificates asks for that. */
export function isPolicyAllowed(chain: readonly Certificate[]): boolean {
  const count = chain.length - 1;
  if (count === 0) return true;
  let [explicitPolicy, policyMapping, inhibitAny] = [count + 1, count + 1, count + 1];
  let levels: Level[] | undefined = [new Map([[anyPolicy, newNode(anyPolicy, [])]])];
  for (let i = count - 1; i >= 0; i--) {
    const certificate = chain[i] as Certificate;
    const isSelfIssued = certificate.issuerBytes.equals(certificate.subjectBytes);
    if (certificate.policies.length === 0) levels = undefined;
    if (explicitPolicy === 0 && levels === undefined) return false;
    if (levels !== undefined) {
      addLevel(levels, certificate, inhibitAny > 0 || (i > 0 && isSelfIssued));
      if (i > 0 && !applyMappings(levels, certificate, policyMapping > 0)) return false;
    }
    if (i === 0) continue;
    if (!isSelfIssued) {
      explicitPolicy = Math.max(explicitPolicy - 1, 0);
      policyMapping = Math.max(policyMapping - 1, 0);
      inhibitAny = Math.max(inhibitAny - 1, 0);
    }
    explicitPolicy = limited(explicitPolicy, certificate.requireExplicitPolicy);
    policyMapping = limited(policyMapping, certificate.inhibitPolicyMapping);
    inhibitAny = limited(inhibitAny, certificate.inhibitAnyPolicy);
  }
  const isExplicit = explicitPolicy <= 1 || chain[0]?.requireExplicitPolicy === 0;
  return !isExplicit || (levels !== undefined && hasValidPolicy(levels));
}

function limited(value: number, limit: number | undefined): number {
  return limit !== undefined && limit >= 0 && limit < value ? limit : value;
}

function newNode(policy: string, parents: readonly PolicyNode[]): PolicyNode {
  const node: PolicyNode = { policy, parents: new Set(parents), children: new Set(), expected: [policy] };
  for (const parent of parents) parent.children.add(node);
  return node;
}

function addLevel(levels: Level[], { policies }: Certificate, takesAny: boolean): void {
  const above = levels.at(-1) as Level;
  const byExpected = new Map<string, PolicyNode[]>();
  for (const node of above.values()) {
    for (const expected of node.expected) byExpected.set(expected, [...(byExpected.get(expected) ?? []), node]);
  }
  const level: Level = new Map();
  levels.push(level);
  const any = above.get(anyPolicy);
  for (const policy of policies) {
    if (policy === anyPolicy) continue;
    const parents = byExpected.get(policy) ?? (any === undefined ? [] : [any]);
    if (parents.length > 0) level.set(policy, newNode(policy, parents));
  }
  if (takesAny && policies.includes(anyPolicy)) {
    for (const [expected, parents] of byExpected) if (!level.has(expected)) level.set(expected, newNode(expected, parents));
  }
  prune(levels);
}

/** False when a mapping is about any policy, which is not allowed. */
function applyMappings(levels: Level[], { policyMappings }: Certificate, isMapping: boolean): boolean {
  const level = levels.at(-1) as Level;
  const mapped = new Map<string, string[]>();
  for (const [issuer, subject] of policyMappings) {
    if (!isMapping) {
      remove(level, issuer);
      continue;
    }
    if (issuer === anyPolicy || subject === anyPolicy) return false;
    mapped.set(issuer, [...(mapped.get(issuer) ?? []), subject]);
  }
  prune(levels);
  for (const [issuer, subjects] of mapped) {
    const [known, any] = [level.get(issuer), level.get(anyPolicy)];
    if (known !== undefined) known.expected = subjects;
    else if (any !== undefined) {
      const node = newNode(issuer, [any]);
      node.expected = subjects;
      level.set(issuer, node);
    }
  }
  return true;
}

function remove(level: Level, policy: string): void {
  const node = level.get(policy);
  if (node === undefined) return;
  for (const parent of node.parents) parent.children.delete(node);
  level.delete(policy);
}

/** Policies that no certificate below allows lead nowhere. */
function prune(levels: readonly Level[]): void {
  for (let depth = levels.length - 2; depth > 0; depth--) {
    const level = levels[depth] as Level;
    for (const [policy, { children }] of level) if (children.size === 0) remove(level, policy);
  }
}

function hasValidPolicy(levels: readonly Level[]): boolean {
  if ((levels.at(-1) as Level).has(anyPolicy)) return true;
  for (const level of levels) {
    for (const { policy, parents } of level.values()) {
      const [parent, ...more] = parents;
      if (policy !== anyPolicy && more.length === 0 && parent?.policy === anyPolicy) return true;
    }
  }
  return false;
}
