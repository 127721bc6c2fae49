// Upstream: apiserver/pkg/endpoints/filters/warning.go
const maxTotalLength = 4096;
const maxItemLength = 256;

/** `Warning: 299 - "text"` headers; long ones are cut as the original cuts them. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const quoted = (text: string): string => headerBytes(`299 - "${clean(text).replace(/["\\]/g, '\\$&')}"`);
  const all = warnings.map(quoted);
  if (all.join('').length <= maxTotalLength) return all;
  const kept: string[] = [];
  let total = 0;
  for (const text of warnings) {
    const header = quoted(text.length > maxItemLength ? text.slice(0, maxItemLength) : text);
    total += header.length;
    if (total > maxTotalLength) break;
    kept.push(header);
  }
  return kept;
}

/** UTF-8 as it is: a header is a string of bytes, and Node takes each character for one. */
function headerBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** control characters would end the header */
function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ').trim();
}
