// Upstream: k8s.io/apiserver/pkg/endpoints/filters/warning.go, k8s.io/apimachinery/pkg/util/net/http.go#NewWarningHeader
/** in characters, without what a header adds to them */
const maxTotalLength = 4096;
const maxItemLength = 256;
/** what no header can hold: a text with one of these is not sent */
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** `Warning: 299 - "text"` headers; when they get too long all are cut, and what comes after they are too long again is left out. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = warnings.filter((text) => text !== '' && !controlCharacter.test(text));
  let total = 0;
  const limit = texts.findIndex((text) => (total += [...text].length) > maxTotalLength);
  if (limit < 0) return texts.map(header);
  const kept: string[] = [];
  let written = 0;
  for (const [i, text] of texts.entries()) {
    if (i > limit && written >= maxTotalLength) break;
    const cut = [...text].slice(0, maxItemLength);
    written += cut.length;
    kept.push(header(cut.join('')));
  }
  return kept;
}

/** UTF-8 as it is: a header is a string of bytes, and Node takes each character for one. */
function header(text: string): string {
  return Buffer.from(`299 - "${text.replace(/["\\]/g, '\\$&')}"`).toString('latin1');
}
