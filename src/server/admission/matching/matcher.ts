// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/matching/matching.go
// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/{namespace,object}/matcher.go
import { internalError } from '../../../machinery/errors.ts';
import type { Labels, LabelSelectorError, Selector } from '../../../machinery/labels.ts';
import { Selector as LabelSelector } from '../../../machinery/labels.ts';
import type { ObjectReader } from '../../registry/object-reader.ts';
import type { KubeObject } from '../../registry/definition.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { requestNamespace } from './endpoint-kind.ts';
import type { EndpointMatch, Match, MatchCriteria } from './match-criteria.ts';
import { matchName } from './match-criteria.ts';

const namespaces = 'namespaces';
const noLabels: Labels = Object.freeze({});

/** Decides what no index can: whether the object, its namespace and its name are those that criteria want. */
export class Matcher {
  readonly #reader: ObjectReader;

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  /** Throws when the request matches but its namespace does not exist or a selector cannot be read. */
  async match(criteria: MatchCriteria, at: EndpointMatch, attributes: AdmissionAttributes): Promise<Match | undefined> {
    const match = matchName(at, attributes.name);
    if (match === undefined || !matchesObject(criteria.objectSelector, attributes)) return undefined;
    return (await this.#matchesNamespace(criteria.namespaceSelector, attributes)) ? match : undefined;
  }

  async #matchesNamespace(selector: Selector | LabelSelectorError, attributes: AdmissionAttributes): Promise<boolean> {
    const namespace = requestNamespace(attributes);
    // What is in no namespace is exempt from selectors of namespaces, except namespaces themselves.
    if (namespace === '' && attributes.resource.names.plural !== namespaces) return true;
    if (!(selector instanceof LabelSelector)) throw internalError(selector.message);
    return selector.isEmpty || selector.matches(await this.#labelsOfNamespace(namespace, attributes));
  }

  /** A namespace that is being written has the labels that it is going to have. */
  async #labelsOfNamespace(namespace: string, { resource, subresource, operation, object }: AdmissionAttributes): Promise<Labels> {
    const isWrite = operation === 'CREATE' || operation === 'UPDATE';
    if (resource.names.plural === namespaces && subresource === '' && isWrite) return object?.metadata.labels ?? noLabels;
    const found = await this.#reader.require<KubeObject>('', namespaces, '', namespace);
    return found.metadata.labels ?? noLabels;
  }
}

/** The object as it is going to be, or as it was. */
function matchesObject(selector: Selector | LabelSelectorError, { object, old }: AdmissionAttributes): boolean {
  if (!(selector instanceof LabelSelector)) throw internalError(selector.message);
  return selector.isEmpty || selects(selector, object) || selects(selector, old);
}

function selects(selector: Selector, object: KubeObject | undefined): boolean {
  return object?.metadata !== undefined && selector.matches(object.metadata.labels ?? noLabels);
}
