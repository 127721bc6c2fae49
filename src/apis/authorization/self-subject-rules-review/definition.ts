// Upstream: k8s.io/kubernetes/pkg/registry/authorization/selfsubjectrulesreview/rest.go
import { badRequest } from '../../../machinery/errors.ts';
import type { SelfSubjectRulesReviewSpec } from '../../../schema/types/authorization-v1.ts';
import type { RulesOf } from '../../../server/request/authorizer.ts';
import { defineResource } from '../../../server/registry/definition.ts';

const unknownRules: RulesOf = { resourceRules: [], nonResourceRules: [], incomplete: true };

/** What may I do in this namespace? The response is a new object: upstream does not repeat the request. */
export const selfSubjectRulesReviews = defineResource({
  group: 'authorization.k8s.io',
  plural: 'selfsubjectrulesreviews',
  virtual: {
    async create({ spec }, { user, authorizer }) {
      const { namespace = '' } = (spec ?? {}) as SelfSubjectRulesReviewSpec;
      if (namespace === '') throw badRequest('no namespace on request');
      const rules = (await authorizer.rulesFor?.(user, namespace)) ?? unknownRules;
      return { metadata: {}, spec: {}, status: rules };
    },
  },
});
