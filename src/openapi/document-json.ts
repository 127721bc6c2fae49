/** A document as the original writes it: the bytes, and with them the hash, are the same where the content is. */
export function documentJson(document: object): string {
  return escapeForHtml(JSON.stringify(document));
}

/** Go's encoder is careful with what a browser might take for markup. */
export function escapeForHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
