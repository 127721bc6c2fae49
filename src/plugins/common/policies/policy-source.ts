// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_source.go
import { ReloadObserver } from '../../../base/reload-metrics.ts';
import type { MatchResources, ParamKind, ParamRef } from '../../../schema/types/admissionregistration-v1.ts';
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { Candidate, Matchable } from '../../../server/admission/matching/endpoint-index.ts';
import { EndpointIndex } from '../../../server/admission/matching/endpoint-index.ts';
import type { EquivalentResources } from '../../../server/admission/matching/match-criteria.ts';
import { MatchCriteria } from '../../../server/admission/matching/match-criteria.ts';
import { isExemptFromPolicies, isReview } from '../../../server/admission/matching/exempt.ts';
import type { PluginContext } from '../../../server/admission/plugin.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { Derived } from '../../../server/registry/derived.ts';
import type { StoredEntry } from '../../../server/registry/entry.ts';
import { readStaticConfiguration } from '../static-manifests/configuration.ts';
import type { ManifestFile } from '../static-manifests/manifest-files.ts';
import { StaticManifests } from '../static-manifests/static-manifests.ts';
import { readStaticObjects } from '../static-manifests/static-objects.ts';
import { missingPolicy, staticPolicyProblem } from './static-policies.ts';

const group = 'admissionregistration.k8s.io';

/** What validating and mutating policies have in common. */
export interface PolicyObject extends KubeObject {
  spec: { paramKind?: ParamKind; matchConstraints?: MatchResources; failurePolicy?: string };
}

export interface BindingObject extends KubeObject {
  spec: { policyName?: string; paramRef?: ParamRef; matchResources?: MatchResources };
}

/** A policy that has bindings, ready to be applied. */
export interface Policy<P extends PolicyObject, B extends BindingObject, E> extends Matchable {
  readonly object: P;
  /** compiled when first asked for */
  readonly evaluator: E;
  readonly bindings: EndpointIndex<Binding<B>>;
}

export interface Binding<B extends BindingObject> extends Matchable {
  readonly object: B;
}

export interface PolicyKind<P extends PolicyObject, E> {
  /** of the plugin's part of --admission-control-config-file */
  readonly configurationKind: string;
  /** plural names */
  readonly policies: string;
  readonly bindings: string;
  readonly compile: (policy: P) => E;
}

/** Policies with their bindings, as they are now: first those in files, then those of the API. */
export class PolicySource<P extends PolicyObject, B extends BindingObject, E> implements Disposable {
  readonly #kind: PolicyKind<P, E>;
  readonly #equivalentTo: EquivalentResources;
  /** what was made of stored policies and bindings, for as long as they are stored */
  readonly #compiled = new WeakMap<StoredEntry, CompiledPolicy<P, E>>();
  readonly #bound = new WeakMap<StoredEntry, Binding<B>>();
  readonly #index: Derived<EndpointIndex<Policy<P, B, E>>>;
  readonly #static: StaticManifests<readonly Policy<P, B, E>[]> | undefined;
  #staticIndex: EndpointIndex<Policy<P, B, E>> | undefined;

  constructor({ reader, configuration, features, writer, clock, log, metrics, serverId }: PluginContext, kind: PolicyKind<P, E>) {
    this.#kind = kind;
    this.#equivalentTo = ({ names }) => reader.equivalentResources(names.group, names.plural);
    const sources = { group, plurals: [kind.policies, kind.bindings] };
    const all = (): Policy<P, B, E>[] => [...(this.#static?.current ?? []), ...this.#list()];
    this.#index = new Derived(reader, sources, () => new EndpointIndex(all(), this.#equivalentTo));
    const configured = readStaticConfiguration(configuration, kind.configurationKind, ['staticManifestsDir'], features);
    const { staticManifestsDir: directory } = configured;
    if (directory === '') return;
    const resources = sources.plurals.map((plural) => reader.resource(group, plural));
    const read = (files: readonly ManifestFile[]): Policy<P, B, E>[] => {
      const found = readStaticObjects(files, { resources, writer, problem: staticPolicyProblem });
      const [policies = [], bindings = []] = [...found.values()];
      return this.#inFiles(policies as P[], bindings as B[]);
    };
    const plugin = kind.policies === 'mutatingadmissionpolicies' ? 'MutatingAdmissionPolicy' : 'ValidatingAdmissionPolicy';
    const observer = new ReloadObserver(metrics, { of: 'manifest_admission', serverId, plugin });
    this.#static = new StaticManifests({ directory, read, clock, log, observer });
    this.#static.subscribe(() => {
      this.#staticIndex = undefined;
      this.#index.invalidate();
    });
  }

  async ready(): Promise<void> {
    await this.#index.get();
  }

  [Symbol.dispose](): void {
    this.#static?.[Symbol.dispose]();
  }

  /** Whether there may be policies for a request; cheap, and true while that is not known. */
  mayConcern(attributes: AdmissionAttributes): boolean {
    if (isReview(attributes.resource)) return false;
    const index = isExemptFromPolicies(attributes.resource) ? this.#staticOnly : this.#index.current;
    return index === undefined || index.candidates(attributes).length > 0;
  }

  /** Policies whose rules meet the request, in the order of their names. */
  async candidates(attributes: AdmissionAttributes): Promise<readonly Candidate<Policy<P, B, E>>[]> {
    const index = isExemptFromPolicies(attributes.resource) ? this.#staticOnly : await this.#index.get();
    return index.candidates(attributes);
  }

  get #staticOnly(): EndpointIndex<Policy<P, B, E>> {
    return (this.#staticIndex ??= new EndpointIndex(this.#static?.current ?? [], this.#equivalentTo));
  }

  /** Throws when a binding is for a policy that is not in the files. */
  #inFiles(policies: readonly P[], bindings: readonly B[]): Policy<P, B, E>[] {
    const missing = missingPolicy(policies, bindings);
    if (missing !== undefined) throw new Error(missing);
    const bound = Map.groupBy(bindings.map(bindingOf), ({ object }) => object.spec.policyName ?? '');
    return policies.flatMap((policy) => {
      const own = bound.get(policy.metadata.name ?? '');
      if (own === undefined) return [];
      return [new CompiledPolicy(policy, this.#kind.compile).boundBy(new EndpointIndex(own, this.#equivalentTo))];
    });
  }

  #list(): Policy<P, B, E>[] {
    const bindings = Map.groupBy(this.#bindings(), ({ object }) => object.spec.policyName ?? '');
    const found: Policy<P, B, E>[] = [];
    for (const entry of this.#index.entries(this.#kind.policies)) {
      const own = bindings.get(entry.fields['metadata.name'] ?? '');
      if (own === undefined) continue;
      let compiled = this.#compiled.get(entry);
      if (compiled === undefined) {
        this.#compiled.set(entry, (compiled = new CompiledPolicy(JSON.parse(entry.text()) as P, this.#kind.compile)));
      }
      found.push(compiled.boundBy(new EndpointIndex(own, this.#equivalentTo)));
    }
    return found;
  }

  *#bindings(): Generator<Binding<B>> {
    for (const entry of this.#index.entries(this.#kind.bindings)) {
      let bound = this.#bound.get(entry);
      if (bound === undefined) this.#bound.set(entry, (bound = bindingOf(JSON.parse(entry.text()) as B)));
      yield bound;
    }
  }
}

class CompiledPolicy<P extends PolicyObject, E> {
  readonly object: P;
  readonly criteria: MatchCriteria;
  readonly #compile: (policy: P) => E;
  #evaluator: E | undefined;

  constructor(object: P, compile: (policy: P) => E) {
    this.object = object;
    this.criteria = criteriaOf(object.spec.matchConstraints);
    this.#compile = compile;
  }

  get evaluator(): E {
    return (this.#evaluator ??= this.#compile(this.object));
  }

  boundBy<B extends BindingObject>(bindings: EndpointIndex<Binding<B>>): Policy<P, B, E> {
    const { object, criteria } = this;
    const evaluator = (): E => this.evaluator;
    return {
      object,
      criteria,
      bindings,
      get evaluator() {
        return evaluator();
      },
    };
  }
}

function bindingOf<B extends BindingObject>(object: B): Binding<B> {
  return { object, criteria: criteriaOf(object.spec.matchResources) };
}

const everything: MatchResources = { namespaceSelector: {}, objectSelector: {} };

/** A binding that says nothing is for all that its policy is for. */
function criteriaOf(match: MatchResources = everything): MatchCriteria {
  return new MatchCriteria(match, { noRulesMatch: true });
}
