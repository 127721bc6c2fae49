// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/accessors.go
import type { MutatingWebhook, ValidatingWebhook } from '../../../schema/types/admissionregistration-v1.ts';
import { AdmissionCompiler } from '../../../cel/kubernetes/expression-compiler.ts';
import { MatchConditions } from '../../../server/admission/expressions/match-conditions.ts';
import type { Matchable } from '../../../server/admission/matching/endpoint-index.ts';
import { MatchCriteria } from '../../../server/admission/matching/match-criteria.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

export type WebhookSpec = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;

export interface WebhookConfiguration extends KubeObject {
  webhooks?: WebhookSpec[];
}

/** One webhook of a configuration, ready to be matched. */
export class Webhook implements Matchable {
  readonly configuration: string;
  readonly spec: WebhookSpec;
  readonly criteria: MatchCriteria;
  #conditions: MatchConditions | undefined;

  constructor(configuration: string, spec: WebhookSpec) {
    this.configuration = configuration;
    this.spec = spec;
    const { rules = [], matchPolicy, namespaceSelector, objectSelector } = spec;
    this.criteria = new MatchCriteria(
      {
        resourceRules: rules,
        ...(matchPolicy !== undefined && { matchPolicy }),
        ...(namespaceSelector !== undefined && { namespaceSelector }),
        ...(objectSelector !== undefined && { objectSelector }),
      },
      { noRulesMatch: false },
    );
  }

  get name(): string {
    return this.spec.name;
  }

  get ignoresFailure(): boolean {
    return this.spec.failurePolicy === 'Ignore';
  }

  /** Compiled when first asked for. */
  get conditions(): MatchConditions {
    return (this.#conditions ??= new MatchConditions(
      this.spec.matchConditions,
      this.spec.failurePolicy,
      new AdmissionCompiler({ hasParams: false, hasVariables: false }),
    ));
  }
}
