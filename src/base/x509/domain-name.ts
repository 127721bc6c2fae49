// Upstream: std/crypto/x509/parser.go#domainNameValid, std/crypto/x509/verify.go#parseRFC2821Mailbox

/** Whether a name can be compared with constraints, or be one; '' can. */
export function isDomainName(name: string, isConstraint: boolean): boolean {
  if (name === '') return true;
  if (name.endsWith('.')) return false;
  const labels = isConstraint && name.startsWith('.') ? name.slice(1) : name;
  return /^[\x21-\x7e]+$/.test(labels) && !/^\.|\.\./.test(labels);
}

export interface Mailbox {
  readonly local: string;
  /** in lower case */
  readonly domain: string;
}

/** text in quotes; escaped characters stand for themselves */
const quoted = /^"((?:[\x01-\x08\x0b\x0c\x0e-\x1f\x20\x21\x23-\x5b\x5d-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*)"@(.*)$/s;
const plain = /^((?:[0-9A-Za-z!#$%&'*+\-/=?^_`{|}~.]|\\.)+)@(.*)$/s;

/** Undefined when the text is no address. */
export function readMailbox(text: string): Mailbox | undefined {
  const isQuoted = text.startsWith('"');
  const [, written, domain] = (isQuoted ? quoted : plain).exec(text) ?? [];
  if (written === undefined || domain === undefined) return undefined;
  const local = written.replaceAll(/\\(.)/gs, '$1');
  if (!isQuoted && /^\.|\.$|\.\./.test(local)) return undefined;
  if (!/^[\x21-\x7e]*$/.test(domain) || domain.endsWith('.') || /^\.|\.\./.test(domain)) return undefined;
  return { local, domain: domain.toLowerCase() };
}
