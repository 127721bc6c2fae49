// Upstream: k8s.io/apimachinery/pkg/util/validation/ip.go
import { invalid } from './field.ts';
import type { FieldError, FieldPath } from './field.ts';
import { goQuote } from './go-format.ts';
import { formatCidr, formatIp, isIpv4, isIpv4Mapped, parseCidr, parseIp } from './ip.ts';

const notAnIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const notACidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const notAnInterfaceAddress = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';

/** A new field's address: strict and in canonical form. */
export function validateIp(value: string, path: FieldPath): FieldError[] {
  return ipProblems(value, true, true).map((problem) => invalid(path, value, problem).withOrigin('format=ip-strict'));
}

/**
 * An address in a field that has always taken sloppy ones.
 * @param validOld what the stored object has there already, and may keep
 */
export function validateLegacyIp(value: string, path: FieldPath, strict: boolean, validOld: readonly string[] = []): FieldError[] {
  if (validOld.includes(value)) return [];
  return ipProblems(value, strict, false).map((problem) => invalid(path, value, problem).withOrigin('format=ip-sloppy'));
}

function ipProblems(value: string, strict: boolean, canonical: boolean): string[] {
  const ip = parseIp(value);
  if (ip === undefined) return [notAnIp];
  const problems: string[] = [];
  if (strict) {
    if (!ip.strict) problems.push('must not have leading 0s');
    else if (isIpv4Mapped(ip)) problems.push('must not be an IPv4-mapped IPv6 address');
  }
  if (!canonical || problems.length > 0) return problems;
  const shown = formatIp(ip.value);
  return value === shown ? problems : [`must be in canonical form (${goQuote(shown)})`];
}

export function warningsForIp(value: string, path: FieldPath): string[] {
  const ip = parseIp(value);
  if (ip === undefined) return [];
  const isOdd = !ip.strict || isIpv4Mapped(ip);
  if (!isOdd && isIpv4(ip)) return [];
  const shown = formatIp(ip.value);
  if (isOdd) return [`${path}: non-standard IP address ${goQuote(value)} is invalid: use ${goQuote(shown)}`];
  if (shown === value) return [];
  return [`${path}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(shown)})`];
}

export function validateCidr(value: string, path: FieldPath): FieldError[] {
  return cidrProblems(value, true, true).map((problem) => invalid(path, value, problem));
}

export function validateLegacyCidr(value: string, path: FieldPath, strict: boolean, validOld: readonly string[] = []): FieldError[] {
  if (validOld.includes(value)) return [];
  return cidrProblems(value, strict, false).map((problem) => invalid(path, value, problem));
}

function cidrProblems(value: string, strict: boolean, canonical: boolean): string[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [notACidr];
  if (strict) {
    if (!cidr.strict) return ['must not have leading 0s in IP or prefix length'];
    if (isIpv4Mapped(cidr.ip)) return ['must not have an IPv4-mapped IPv6 address'];
    if (cidr.ip.value !== cidr.network) return ['must not have bits set beyond the prefix length'];
  }
  const shown = formatCidr(cidr);
  return canonical && value !== shown ? [`must be in canonical form (${goQuote(shown)})`] : [];
}

export function warningsForCidr(value: string, path: FieldPath): string[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [];
  const warnings: string[] = [];
  const shown = formatCidr(cidr);
  if (cidr.ip.value !== cidr.network) {
    const single = `${formatIp(cidr.ip.value)}/${cidr.ip.dotted ? 32 : 128}`;
    const choice = `${goQuote(shown)} or ${goQuote(single)}`;
    warnings.push(`${path}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${choice}?)`);
  }
  if (!cidr.strict || isIpv4Mapped(cidr.ip)) {
    warnings.push(`${path}: non-standard CIDR value ${goQuote(value)} is invalid: use ${goQuote(shown)}`);
  }
  if (warnings.length > 0 || cidr.ip.dotted || value === shown) return warnings;
  return [`${path}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(shown)})`];
}

/** An address together with the length of its network's prefix. */
export function validateInterfaceAddress(value: string, path: FieldPath): FieldError[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [invalid(path, value, notAnInterfaceAddress)];
  const { ip, prefixLength } = cidr;
  const length = isIpv4(ip) && prefixLength > 32 ? prefixLength - 96 : prefixLength;
  const shown = `${formatIp(ip.value)}/${length}`;
  return value === shown ? [] : [invalid(path, value, `must be in canonical form (${goQuote(shown)})`)];
}
