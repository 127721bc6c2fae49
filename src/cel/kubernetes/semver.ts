// Upstream: k8s.io/apiserver/pkg/cel/library/semverlib.go, github.com/blang/semver/v4

import { goQuote } from '../../machinery/go-format.ts';
import type { Library } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { toInt } from '../numbers.ts';
import { boolType as bool, intType as int, stringType as string, structType } from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelError, CelObject, noSuchOverload } from '../values.ts';

export const semverType = structType('kubernetes.Semver');

class SemverValue extends CelObject {
  readonly type = semverType;
  readonly release: readonly [bigint, bigint, bigint];
  readonly pre: readonly (string | bigint)[];

  constructor(release: readonly [bigint, bigint, bigint], pre: readonly (string | bigint)[]) {
    super();
    this.release = release;
    this.pre = pre;
  }

  equals(other: Value): Truth {
    return other instanceof SemverValue ? this.compare(other) === 0 : noSuchOverload;
  }

  compare(other: SemverValue): number {
    for (let i = 0; i < 3; i++) if (this.release[i] !== other.release[i]) return this.release[i]! > other.release[i]! ? 1 : -1;
    // A release is newer than its own pre-releases.
    if (this.pre.length === 0 || other.pre.length === 0) return Math.sign(Number(this.pre.length === 0) - Number(other.pre.length === 0));
    const length = Math.min(this.pre.length, other.pre.length);
    for (let i = 0; i < length; i++) {
      const order = comparePart(this.pre[i]!, other.pre[i]!);
      if (order !== 0) return order;
    }
    return Math.sign(this.pre.length - other.pre.length);
  }
}

function comparePart(a: string | bigint, b: string | bigint): number {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  return a === b ? 0 : a > b ? 1 : -1;
}

const maxUint = 2n ** 64n - 1n;

function parseNumber(text: string, name: string): bigint | CelError {
  if (/[^0-9]/.test(text)) return new CelError(`Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(text)}`);
  if (text.length > 1 && text.startsWith('0')) return new CelError(`${name} number must not contain leading zeroes ${goQuote(text)}`);
  return parseUint(text);
}

function parseUint(text: string): bigint | CelError {
  const complain = (why: string): CelError => new CelError(`strconv.ParseUint: parsing ${goQuote(text)}: ${why}`);
  if (text === '') return complain('invalid syntax');
  const value = BigInt(text);
  return value > maxUint ? complain('value out of range') : value;
}

function parsePre(text: string): string | bigint | CelError {
  if (text === '') return new CelError('Prerelease is empty');
  if (!/[^0-9]/.test(text)) {
    if (text.length > 1 && text.startsWith('0'))
      return new CelError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
    return parseUint(text);
  }
  return /[^0-9A-Za-z-]/.test(text) ? new CelError(`Invalid character(s) found in prerelease ${goQuote(text)}`) : text;
}

/** Cuts a text at the first occurrence of a separator. */
function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** At most three parts; the third keeps its dots. */
function splitVersion(text: string): string[] {
  const [major, rest] = cut(text, '.');
  if (rest === undefined) return [major];
  const [minor, patch] = cut(rest, '.');
  return patch === undefined ? [major, minor] : [major, minor, patch];
}

function parseSemver(text: string): SemverValue | CelError {
  if (text === '') return new CelError('Version string empty');
  const parts = splitVersion(text);
  if (parts.length !== 3) return new CelError('No Major.Minor.Patch elements found');
  const [withPre, build] = cut(parts[2]!, '+');
  const [patchText, preText] = cut(withPre, '-');
  const numbers: bigint[] = [];
  for (const [name, part] of [
    ['Major', parts[0]!],
    ['Minor', parts[1]!],
    ['Patch', patchText],
  ] as const) {
    const number = parseNumber(part, name);
    if (number instanceof CelError) return number;
    numbers.push(number);
  }
  const pre: (string | bigint)[] = [];
  for (const part of preText?.split('.') ?? []) {
    const parsed = parsePre(part);
    if (parsed instanceof CelError) return parsed;
    pre.push(parsed);
  }
  for (const part of build?.split('.') ?? []) {
    if (part === '') return new CelError('Build meta data is empty');
    if (/[^0-9A-Za-z-]/.test(part)) return new CelError(`Invalid character(s) found in build meta data ${goQuote(part)}`);
  }
  return new SemverValue(numbers as [bigint, bigint, bigint], pre);
}

/** Accepts a leading v, leading zeroes and missing parts. */
function parseLoosely(text: string): SemverValue | CelError {
  const parts = splitVersion(text.startsWith('v') ? text.slice(1) : text).map((part) => {
    if (part.length <= 1) return part;
    const trimmed = part.replace(/^0+/, '');
    return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) return new CelError('short version cannot contain PreRelease/Build meta data');
  while (parts.length < 3) parts.push('0');
  return parseSemver(parts.join('.'));
}

const read = (text: string, normalize = false): SemverValue | CelError => (normalize ? parseLoosely(text) : parseSemver(text));
const isSemver = (text: string, normalize = false): boolean => !(read(text, normalize) instanceof CelError);
const pair = [semverType, semverType];
const number = (name: string, index: 0 | 1 | 2) =>
  declare(
    name,
    member(`semver_${name}`, [semverType], int, (version: SemverValue) => toInt(BigInt.asIntN(64, version.release[index]))),
  );

export const semverLibrary: Library = {
  name: 'kubernetes.Semver',
  functions: [
    declare(
      'semver',
      overload('string_to_semver', [string], semverType, read),
      overload('string_bool_to_semver', [string, bool], semverType, read),
    ),
    declare(
      'isSemver',
      overload('is_semver_string', [string], bool, isSemver),
      overload('is_semver_string_bool', [string, bool], bool, isSemver),
    ),
    declare(
      'isGreaterThan',
      member('semver_is_greater_than', pair, bool, (a: SemverValue, b: SemverValue) => a.compare(b) > 0),
    ),
    declare(
      'isLessThan',
      member('semver_is_less_than', pair, bool, (a: SemverValue, b: SemverValue) => a.compare(b) < 0),
    ),
    declare(
      'compareTo',
      member('semver_compare_to', pair, int, (a: SemverValue, b: SemverValue) => a.compare(b)),
    ),
    number('major', 0),
    number('minor', 1),
    number('patch', 2),
  ],
};
