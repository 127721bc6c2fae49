// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/names.go
import { append } from '../../machinery/append.ts';
import { invalid, required, tooLong } from '../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { goQuote } from '../../machinery/go-format.ts';
import {
  dns1123LabelMaxLength,
  dns1123SubdomainMaxLength,
  checkDns1123Label,
  checkDns1123Subdomain,
  nameIsDnsSubdomain,
} from '../../machinery/names.ts';

const maxSignerNameLength = dns1123SubdomainMaxLength + (dns1123SubdomainMaxLength + dns1123LabelMaxLength + 1) + 1;

export function isKubernetesSigner(signerName: string): boolean {
  return /(?:^|\.)kubernetes\.io$/.test(signerName.split('/', 1)[0] as string);
}

/** `example.com/signer-name` */
export function validateSignerName(signerName: string, path: FieldPath): FieldError[] {
  if (signerName === '') return [required(path, '')];
  const segments = signerName.split('/');
  if (segments.length !== 2) {
    return [invalid(path, signerName, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const [domain, name] = segments as [string, string];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(domain) > dns1123SubdomainMaxLength) errors.push(tooLong(path, dns1123SubdomainMaxLength));
  const labels = domain.split('.');
  append(errors, firstBadLabel(labels, checkDns1123Label, domain, path));
  if (labels.length < 2) errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  append(errors, firstBadLabel(name.split('.'), checkDns1123Subdomain, name, path));
  if (Buffer.byteLength(signerName) > maxSignerNameLength) errors.push(tooLong(path, maxSignerNameLength));
  return errors;
}

function firstBadLabel(
  labels: readonly string[],
  rule: (label: string) => readonly string[],
  value: string,
  path: FieldPath,
): FieldError[] {
  for (const label of labels) {
    const problems = rule(label);
    if (problems.length > 0) return problems.map((problem) => invalid(path, value, `validating label ${goQuote(label)}: ${problem}`));
  }
  return [];
}

/** A trust bundle of a signer carries the signer's name as a prefix. */
export function clusterTrustBundleNameProblems(name: string, signerName: string, prefix: boolean): readonly string[] {
  if (signerName === '') {
    return name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : nameIsDnsSubdomain(name, prefix);
  }
  const start = `${signerName.replaceAll('/', ':')}:`;
  if (!name.startsWith(start)) return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${start}`];
  return nameIsDnsSubdomain(name.slice(start.length), prefix);
}

/** The signer that a bundle's name speaks of; '' when it speaks of none. */
export function signerOfTrustBundle(name: string): string {
  const colon = name.lastIndexOf(':');
  return colon < 0 ? '' : name.slice(0, colon).replaceAll(':', '/');
}
