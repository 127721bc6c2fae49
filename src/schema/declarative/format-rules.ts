// Upstream: k8s.io/apimachinery/pkg/api/validate/strfmt.go
import { append } from '../../machinery/append.ts';
import { invalid, tooLong, typedValue } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import {
  declarativeFormats,
  checkCIdentifier,
  checkLabelValue,
  isLongerThan,
  checkPrefixedLabelKey,
  checkQualifiedName,
  nameIsPathSegment,
} from '../../machinery/names.ts';
import { nothing } from './rule.ts';
import type { Path, RuleFamily, Slot } from './rule.ts';

type Format = (value: string, path: Path, shown: unknown) => readonly FieldError[];

const deviceNameMaxLength = 32;
const domainMaxLength = 63;
const poolNameMaxLength = 253;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const formats: Readonly<Record<string, Format>> = {
  'k8s-short-name': text(declarativeFormats.shortName),
  'k8s-long-name': text(declarativeFormats.longName),
  'k8s-long-name-caseless': text(declarativeFormats.longNameCaseless),
  'k8s-label-key': text(checkQualifiedName),
  'k8s-prefixed-label-key': text(checkPrefixedLabelKey),
  'k8s-label-value': text(checkLabelValue),
  'k8s-path-segment-name': text((value) => nameIsPathSegment(value, false)),
  'k8s-uuid': (value, path) => (uuid.test(value) ? nothing : [invalid(path, value, 'must be a lowercase UUID in 8-4-4-4-12 format')]),
  'k8s-resource-pool-name': poolName,
  'k8s-extended-resource-name': extendedResourceName,
  'k8s-resource-fully-qualified-name': fullyQualifiedName,
};

export const formatRules: RuleFamily = {
  format({ level, value: name }, slot) {
    const format = formats[name];
    if (format === undefined) throw new Error(`unknown format ${name}`);
    const show = shownAs(slot);
    return [
      {
        level,
        check: (_run, path, value) =>
          value === undefined || value === null
            ? nothing
            : format(value as string, path, show(value)).map((error) => error.withOrigin(`format=${name}`)),
      },
    ];
  },
};

/** Values of named types are shown as JSON, plain strings as Go quotes them. */
export function shownAs({ type }: Pick<Slot, 'type'>): (value: unknown) => unknown {
  return type.kind === 'scalar' && type.goName !== undefined ? typedValue : (value) => value;
}

function text(problemsOf: (value: string) => readonly string[]): Format {
  return (value, path, shown) => {
    const problems = problemsOf(value);
    return problems.length === 0 ? nothing : problems.map((problem) => invalid(path, shown, problem));
  };
}

function longName(value: string, path: Path, prefix: string): FieldError[] {
  return declarativeFormats.longName(value).map((problem) => invalid(path, value, prefix + problem));
}

function poolName(value: string, path: Path): readonly FieldError[] {
  const errors: FieldError[] = isLongerThan(value, poolNameMaxLength) ? [tooLong(path, poolNameMaxLength)] : [];
  value.split('/').forEach((segment, index) => {
    if (segment === '') errors.push(invalid(path, value, `segment ${index}: must not be empty`));
    else append(errors, longName(segment, path, `segment ${index}: `));
  });
  return errors;
}

function extendedResourceName(value: string, path: Path): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!value.includes('/')) {
    errors.push(invalid(path, value, "a name must be a domain-prefixed path, such as 'example.com/my-prop'"));
  } else if (value.includes('kubernetes.io/')) {
    errors.push(invalid(path, value, 'must not have "kubernetes.io/" domain'));
  }
  if (value.startsWith('requests.')) errors.push(invalid(path, value, 'must not have "requests." prefix'));
  // Quotas count it under this name, which has to be one too.
  append(
    errors,
    checkQualifiedName(`requests.${value}`).map((problem) => invalid(path, value, problem)),
  );
  return errors;
}

function fullyQualifiedName(value: string, path: Path): readonly FieldError[] {
  const parts = value.split('/');
  if (parts.length === 1) {
    const detail = 'a fully qualified name must be a domain and a name separated by a slash';
    return [...identifier(value, path), invalid(path, value, detail)];
  }
  if (parts.length > 2) return nothing; // Upstream looks at one slash only.
  const [domain, name] = parts as [string, string];
  const errors: FieldError[] = [];
  if (domain === '') errors.push(invalid(path, '', 'prefix must not be empty'));
  else {
    if (isLongerThan(domain, domainMaxLength)) errors.push(tooLong(path, domainMaxLength));
    append(errors, longName(domain, path, 'prefix: '));
  }
  if (name === '') errors.push(invalid(path, '', 'name must not be empty'));
  else append(errors, identifier(name, path));
  return errors;
}

function identifier(value: string, path: Path): FieldError[] {
  const long = isLongerThan(value, deviceNameMaxLength) ? [tooLong(path, deviceNameMaxLength)] : [];
  return [...long, ...checkCIdentifier(value).map((problem) => invalid(path, value, problem))];
}
