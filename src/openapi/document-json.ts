import { escapeForHtml } from '../machinery/codec/json/write.ts';

/** A document of OpenAPI 3 as the original writes it: the bytes, and with them the hash, are the same where the content is. */
export function documentJson(document: object): string {
  return escapeForHtml(JSON.stringify(document));
}
