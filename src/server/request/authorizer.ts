import { aggregateMessages } from '../../machinery/field.ts';
import type { UserInfo } from './user.ts';
import { privilegedGroup } from './user.ts';

/** One question: may this user do that? */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface Decision {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
  /** kept for the log and the review's evaluationError */
  readonly error?: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RulesOf {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

export interface Authorizer {
  /** put before its reasons by a union */
  readonly name?: string;
  authorize(attributes: Attributes): Decision | Promise<Decision>;
  /** what a user may do in a namespace, for SelfSubjectRulesReview */
  rulesFor?(user: UserInfo, namespace: string): RulesOf | Promise<RulesOf>;
  /** What roles alone give a user in a namespace, even if other authorizers allow more: no user grants by a role what the user does not hold by one. */
  roleRulesFor?(user: UserInfo, namespace: string): RulesOf | Promise<RulesOf>;
}

/** Members of system:masters may do everything, whatever the configured modes say. */
export const privilegedGroupAuthorizer: Authorizer = {
  authorize: ({ user }) =>
    user.groups.includes(privilegedGroup) ? { decision: 'allow', reason: '' } : { decision: 'no-opinion', reason: '' },
};

export const alwaysAllow: Authorizer = {
  authorize: () => ({ decision: 'allow', reason: '' }),
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
};

export const alwaysDeny: Authorizer = {
  authorize: () => ({ decision: 'no-opinion', reason: 'Everything is forbidden.' }),
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};

/** Asks in order until one allows or denies; the reasons of those without an opinion are joined by newlines. */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize(attributes) {
      const reasons: string[] = [];
      const errors: string[] = [];
      const next = (index: number): Decision | Promise<Decision> => {
        for (let i = index; i < authorizers.length; i++) {
          const { name } = authorizers[i] as Authorizer;
          const answer = (authorizers[i] as Authorizer).authorize(attributes);
          if (answer instanceof Promise) return answer.then((decision) => settle(name, decision) ?? next(i + 1));
          const settled = settle(name, answer);
          if (settled !== undefined) return settled;
        }
        return { decision: 'no-opinion', reason: reasons.join('\n'), ...(errors.length > 0 && { error: aggregateMessages(errors) }) };
      };
      const settle = (name: string | undefined, decision: Decision): Decision | undefined => {
        if (decision.decision !== 'no-opinion') return decision;
        if (decision.reason !== '') reasons.push(name === undefined ? decision.reason : `${name}: ${decision.reason}`);
        if (decision.error !== undefined) errors.push(decision.error);
        return undefined;
      };
      return next(0);
    },
    async rulesFor(user, namespace) {
      const all = await Promise.all(authorizers.flatMap((one) => (one.rulesFor === undefined ? [] : [one.rulesFor(user, namespace)])));
      const errors = all.flatMap((rules) => (rules.evaluationError === undefined ? [] : [rules.evaluationError]));
      return {
        resourceRules: all.flatMap((rules) => rules.resourceRules),
        nonResourceRules: all.flatMap((rules) => rules.nonResourceRules),
        incomplete: all.some((rules) => rules.incomplete),
        ...(errors.length > 0 && { evaluationError: aggregateMessages(errors) }),
      };
    },
  };
}
