// Upstream: k8s.io/kubernetes/pkg/apis/flowcontrol/validation/validation.go#ValidatePriorityLevelConfiguration
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type {
  LimitResponse,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../../../schema/types/flowcontrol-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { exemptName, flowControlGroup, mandatoryPriorityLevels } from '../../common/flow-control/mandatory.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';

export type PriorityLevelObject = PriorityLevelConfiguration & KubeObject;

/** kept zeros apart from defaults in a version that is served no more */
const preserveZero = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const maxQueues = 10_000_000;
const maxHashBits = 60;
const specPath = FieldPath.root('spec');

export function validatePriorityLevel(
  { metadata, spec = {} as PriorityLevelConfigurationSpec }: PriorityLevelObject,
  context: WriteContext,
) {
  const { name = '' } = metadata;
  const errors: FieldError[] = [];
  if (metadata.annotations?.[preserveZero] !== undefined) {
    errors.push(forbidden(FieldPath.root('metadata', 'annotations'), `annotation '${preserveZero}' is forbidden`));
  }
  return [...errors, ...validateSpec(name, spec), ...validateMandatory(name, spec, context)];
}

function validateSpec(name: string, { type = '', exempt, limited }: PriorityLevelConfigurationSpec): FieldError[] {
  const at = specPath.child('type');
  const errors: FieldError[] = [];
  if ((name === exemptName) !== (type === 'Exempt')) {
    errors.push(invalid(at, typedValue(type), "must be 'Exempt' if and only if `name` is 'exempt'"));
  }
  const [exemptPath, limitedPath] = [specPath.child('exempt'), specPath.child('limited')];
  switch (type) {
    case 'Exempt':
      if (limited) errors.push(forbidden(limitedPath, 'must be nil if the type is not Limited'));
      return [...errors, ...(exempt ? validateShares(exempt, exemptPath) : [])];
    case 'Limited':
      if (exempt) errors.push(forbidden(exemptPath, 'must be nil if the type is Limited'));
      return [
        ...errors,
        ...(limited ? validateLimited(limited, limitedPath) : [required(limitedPath, 'must not be empty when type is Limited')]),
      ];
    case '':
      return [...errors, required(at, '')];
    default:
      return [...errors, notSupported(at, typedValue(type), ['Exempt', 'Limited'])];
  }
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: FieldPath): FieldError[] {
  const { borrowingLimitPercent, limitResponse } = limited;
  const [shares, lendable] = [sharesErrors(limited, path), lendableErrors(limited, path)];
  const errors = [...shares, ...validateLimitResponse(limitResponse ?? {}, path.child('limitResponse')), ...lendable];
  if (borrowingLimitPercent !== undefined && borrowingLimitPercent < 0) {
    errors.push(invalid(path.child('borrowingLimitPercent'), borrowingLimitPercent, 'if specified, must be a non-negative integer'));
  }
  return errors;
}

/** What both sorts of levels have. */
interface Shares {
  readonly nominalConcurrencyShares?: number | null;
  readonly lendablePercent?: number;
}

function validateShares(level: Shares, path: FieldPath): FieldError[] {
  return [...sharesErrors(level, path), ...lendableErrors(level, path)];
}

function sharesErrors({ nominalConcurrencyShares }: Shares, path: FieldPath): FieldError[] {
  const shares = nominalConcurrencyShares ?? 0;
  return shares < 0 ? [invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer')] : [];
}

function lendableErrors({ lendablePercent: percent = 0 }: Shares, path: FieldPath): FieldError[] {
  const inRange = percent >= 0 && percent <= 100;
  return inRange ? [] : [invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive')];
}

function validateLimitResponse({ type = '', queuing }: Partial<LimitResponse>, path: FieldPath): FieldError[] {
  const at = path.child('queuing');
  switch (type) {
    case 'Queue':
      return queuing ? validateQueuing(queuing, at) : [required(at, 'must not be empty if limited.limitResponse.type is Limited')];
    case 'Reject':
      return queuing ? [forbidden(at, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case '':
      return [required(path.child('type'), '')];
    default:
      return [notSupported(path.child('type'), typedValue(type), ['Queue', 'Reject'])];
  }
}

/** A hand of queues is dealt to each flow; a hash of the flow has to have enough bits for that. */
function validateQueuing({ queueLengthLimit = 0, queues = 0, handSize = 0 }: QueuingConfiguration, path: FieldPath): FieldError[] {
  const wrong = (field: string, value: number, why: string): FieldError[] => [invalid(path.child(field), value, why)];
  return [
    ...(queueLengthLimit <= 0 ? wrong('queueLengthLimit', queueLengthLimit, 'must be positive') : []),
    ...(queues <= 0 ? wrong('queues', queues, 'must be positive') : []),
    ...(queues > maxQueues ? wrong('queues', queues, `must not be greater than ${maxQueues}`) : []),
    ...handSizeFaults(queues, handSize).flatMap((why) => wrong('handSize', handSize, why)),
  ];
}

function handSizeFaults(queues: number, handSize: number): string[] {
  if (handSize <= 0) return ['must be positive'];
  if (handSize > queues) return [`should not be greater than queues (${queues})`];
  if (Math.ceil(Math.log2(queues) * handSize) <= maxHashBits) return [];
  return [`required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`];
}

/** Of what is mandatory only the shares of the exempt level may be changed. */
function validateMandatory(name: string, spec: PriorityLevelConfigurationSpec, { reader }: WriteContext): FieldError[] {
  const fixed = mandatoryPriorityLevels[name];
  if (fixed === undefined) return [];
  const { exempt: fixedExempt, ...fixedRest } = fixed;
  const { exempt, ...rest } = spec;
  const isExempt = name === exemptName;
  if (semanticDeepEqual(rest, fixedRest) && (isExempt || semanticDeepEqual(exempt, fixedExempt))) return [];
  const shown = internalValue(typeAt(reader.resource(flowControlGroup, 'prioritylevelconfigurations').storage.type, 'spec'), spec);
  return [invalid(specPath, shown, `spec of '${name}'${isExempt ? " except the 'spec.exempt' field" : ''} must equal the fixed value`)];
}
