// Upstream: k8s.io/client-go/util/jsonpath/jsonpath.go#PrintResults
import { goNumber } from '../../machinery/go-format.ts';
import { escapeForHtml } from '../../machinery/html-escape.ts';
import { writeSorted } from '../../machinery/codec/json/write.ts';

/** A JSON value as Go prints it in running text; objects and lists stay JSON. */
export function encodeForText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return goNumber(value);
    case 'object':
      return value === null ? '<no value>' : escapeForHtml(writeSorted(value));
    default:
      return String(value);
  }
}
