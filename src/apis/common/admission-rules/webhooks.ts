// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateValidatingWebhook, #validateMutatingWebhook
// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/warnings.go
import { allSteps } from '../../../base/steps.ts';
import { append } from '../../../machinery/append.ts';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, duplicate, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { checkDns1035Label } from '../../../machinery/names.ts';
import { validateFullyQualifiedName } from '../../../machinery/qualified-names.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { MutatingWebhook, RuleWithOperations, ValidatingWebhook } from '../../../schema/types/admissionregistration-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateClientConfig } from './client-config.ts';
import { validateExpressionAmount } from './expression-amount.ts';
import { expressionsOf, validateMatchConditions } from './match-conditions.ts';
import { validateFailurePolicy, validateReinvocationPolicy } from './one-of.ts';
import { validateMatchPolicy, validateRule } from './rules.ts';
import { staticNameWarnings, staticNameWarningsOnCreate, validateNotStatic, validateOwnMetadata } from './static-names.ts';

type Webhook = ValidatingWebhook & Partial<Pick<MutatingWebhook, 'reinvocationPolicy'>>;

export interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

const webhooksPath = FieldPath.root('webhooks');
const harmlessSideEffects = ['None', 'NoneOnDryRun'];
const sideEffectClasses = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const reviewVersions = ['v1', 'v1beta1'];
const [shortestTimeout, longestTimeout] = [1, 30];

/** Reviews are nothing that a webhook may see: those who ask them would wait for each other. */
const hiddenResources: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** What holds for new configurations, and no longer for those that were stored without it. */
interface Demands {
  readonly conditionsChecked: boolean;
  readonly harmless: boolean;
  readonly knownReviewVersion: boolean;
  readonly uniqueNames: boolean;
  readonly validLabelValues: boolean;
  readonly storedExpressions: ReadonlySet<string>;
}

const allDemands: Demands = {
  conditionsChecked: true,
  harmless: true,
  knownReviewVersion: true,
  uniqueNames: true,
  validLabelValues: true,
  storedExpressions: new Set(),
};

export const webhookRules = {
  // The kinds' own rules begin with the metadata.
  skipsMetadataValidation: true,
  generation: 'in-memory',
  allowUnconditionalUpdate: false,
  validate(object: WebhookConfiguration, context: WriteContext): FieldError[] {
    return [...validateConfiguration(object, allDemands), ...validateNotStatic(object.metadata, context)];
  },
  validateUpdate: (object: WebhookConfiguration, old: WebhookConfiguration): FieldError[] =>
    validateConfiguration(object, demandsOf(old.webhooks ?? [], object.webhooks ?? [])),
  warningsOnCreate: (object: WebhookConfiguration, context: WriteContext): string[] => [
    ...staticNameWarningsOnCreate(object, context),
    ...ruleWarnings(object, context),
  ],
  warningsOnUpdate: (object: WebhookConfiguration, _old: WebhookConfiguration, context: WriteContext): string[] => [
    ...staticNameWarnings(object),
    ...ruleWarnings(object, context),
  ],
} as const;

function demandsOf(old: readonly Webhook[], webhooks: readonly Webhook[]): Demands {
  const selectors = old.flatMap(({ namespaceSelector, objectSelector }) => [namespaceSelector, objectSelector]);
  return {
    conditionsChecked:
      old.length !== webhooks.length || old.some(({ matchConditions }, i) => !deepEqual(matchConditions, webhooks[i]?.matchConditions)),
    harmless: old.every(({ sideEffects }) => sideEffects !== null && harmlessSideEffects.includes(sideEffects)),
    knownReviewVersion: old.every(({ admissionReviewVersions: versions }) => !versions?.length || versions.some(isKnownReviewVersion)),
    uniqueNames: new Set(old.map(({ name }) => name)).size === old.length,
    validLabelValues: selectors.every((selector) => validateLabelSelector(selector, webhooksPath).length === 0),
    storedExpressions: new Set(old.flatMap(({ matchConditions }) => expressionsOf(matchConditions))),
  };
}

const isKnownReviewVersion = (version: string): boolean => reviewVersions.includes(version);

function validateConfiguration({ metadata, webhooks = [] }: WebhookConfiguration, demands: Demands): FieldError[] {
  const amount = validateExpressionAmount(
    webhooks.flatMap(({ matchConditions }) => expressionsOf(matchConditions)),
    webhooksPath,
  );
  if (amount.length > 0) return amount;
  const errors = validateOwnMetadata(metadata);
  const names = new Set<string>();
  for (const [i, webhook] of webhooks.entries()) {
    const path = webhooksPath.index(i);
    append(errors, validateWebhook(webhook, demands, path));
    append(errors, validateReviewVersions(webhook.admissionReviewVersions ?? [], demands, path.child('admissionReviewVersions')));
    if (demands.uniqueNames && names.has(webhook.name)) errors.push(duplicate(path.child('name'), webhook.name));
    if (webhook.name !== '') names.add(webhook.name);
  }
  return errors;
}

function validateWebhook(webhook: Webhook, demands: Demands, path: FieldPath): FieldError[] {
  const { name, rules = [], failurePolicy, matchPolicy, timeoutSeconds, reinvocationPolicy, clientConfig, matchConditions } = webhook;
  const errors = validateFullyQualifiedName(name, path.child('name'));
  rules.forEach((rule, i) => append(errors, validateRule(rule, path.child('rules').index(i))));
  append(errors, validateFailurePolicy(failurePolicy, path.child('failurePolicy')));
  append(errors, validateMatchPolicy(matchPolicy, path.child('matchPolicy')));
  append(errors, validateSideEffects(webhook, demands, path.child('sideEffects')));
  if (timeoutSeconds !== undefined && (timeoutSeconds < shortestTimeout || timeoutSeconds > longestTimeout)) {
    errors.push(invalid(path.child('timeoutSeconds'), timeoutSeconds, 'the timeout value must be between 1 and 30 seconds'));
  }
  const options = { allowInvalidLabelValue: !demands.validLabelValues };
  append(errors, validateLabelSelector(webhook.namespaceSelector, path.child('namespaceSelector'), options));
  append(errors, validateLabelSelector(webhook.objectSelector, path.child('objectSelector'), options));
  append(errors, validateReinvocationPolicy(reinvocationPolicy, path.child('reinvocationPolicy')));
  append(errors, validateClientConfig(clientConfig, path.child('clientConfig')));
  if (!demands.conditionsChecked) return errors;
  const conditions = { hasParams: false, stored: demands.storedExpressions };
  return [...errors, ...allSteps(validateMatchConditions(matchConditions, path.child('matchConditions'), conditions))];
}

function validateSideEffects({ sideEffects }: Webhook, { harmless }: Demands, path: FieldPath): FieldError[] {
  const allowed = harmless ? harmlessSideEffects : sideEffectClasses;
  if (sideEffects === null) return [required(path, `must specify one of ${allowed.join(', ')}`)];
  return allowed.includes(sideEffects) ? [] : [notSupported(path, typedValue(sideEffects), allowed)];
}

function validateReviewVersions(versions: readonly string[], { knownReviewVersion }: Demands, path: FieldPath): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(', ')}`)];
  const errors: FieldError[] = [];
  const repeats = repeatsIn(versions);
  for (const [i, version] of versions.entries()) {
    if (repeats.has(i)) errors.push(invalid(path.index(i), version, 'duplicate version'));
    else for (const problem of checkDns1035Label(version)) errors.push(invalid(path.index(i), version, problem));
  }
  if (knownReviewVersion && !versions.some(isKnownReviewVersion)) {
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return errors;
}

function ruleWarnings({ webhooks = [] }: WebhookConfiguration, { features }: WriteContext): string[] {
  if (!features.enabled('ExcludeAdmissionWebhookVirtualResources')) return [];
  return webhooks.flatMap(({ rules = [] }, i) =>
    rules.flatMap((rule, j) =>
      hiddenResourcesOf(rule).map(
        (resource) => `webhooks[${i}].rules[${j}]: ${resource} is excluded from admission webhooks; this rule will have no effect`,
      ),
    ),
  );
}

/** Those that a rule names; a rule for everything does not mean them. */
function hiddenResourcesOf({ apiGroups = [], resources = [] }: RuleWithOperations): string[] {
  if (apiGroups.includes('*') || resources.includes('*')) return [];
  const named = apiGroups.flatMap((group) => resources.map((resource) => `${resource}.${group}`));
  return [...new Set(named)].filter((resource) => hiddenResources.has(resource));
}
