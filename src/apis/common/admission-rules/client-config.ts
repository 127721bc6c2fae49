// Upstream: k8s.io/apiserver/pkg/util/webhook/validation.go
import { UrlError, parseUrl } from '../../../cel/kubernetes/url.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, required } from '../../../machinery/field.ts';
import { checkDns1123Subdomain, checkPortNumber } from '../../../machinery/names.ts';
import type { ServiceReference, WebhookClientConfig } from '../../../schema/types/admissionregistration-v1.ts';

const format = '; desired format: https://host[/path]';

export function validateClientConfig({ url, service }: WebhookClientConfig, path: FieldPath): FieldError[] {
  if (url !== undefined && service === undefined) return validateUrl(url, path.child('url'));
  if (service !== undefined && url === undefined) return validateService(service, path.child('service'));
  return [required(path, 'exactly one of url or service is required')];
}

function validateUrl(text: string, path: FieldPath): FieldError[] {
  const url = parseUrl(text, false);
  if (url instanceof UrlError) return [required(path, `url must be a valid URL: ${url.message}${format}`)];
  const { scheme, host, userinfo, fragment, rawQuery } = url;
  const errors: FieldError[] = [];
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${format}`));
  if (host === '') errors.push(invalid(path, host, `host must be specified${format}`));
  if (userinfo !== undefined) errors.push(invalid(path, userinfo, 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (rawQuery !== '') errors.push(invalid(path, rawQuery, 'query parameters are not permitted in the URL'));
  return errors;
}

function validateService({ name, namespace, port = 0, path: urlPath }: ServiceReference, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  // A quirk: upstream hands over name and namespace the wrong way round, so each error names the other field.
  if (namespace === '') errors.push(required(path.child('name'), ''));
  if (name === '') errors.push(required(path.child('namespace'), ''));
  const wrongPort = checkPortNumber(port);
  if (wrongPort.length > 0) errors.push(invalid(path.child('port'), port, `port is not valid: ${wrongPort.join(', ')}`));
  return urlPath === undefined ? errors : [...errors, ...validatePath(urlPath, path.child('path'))];
}

function validatePath(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const errors = urlPath.startsWith('/') ? [] : [invalid(path, urlPath, "must start with a '/'")];
  for (const [i, segment] of urlPath.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (segment === '') errors.push(invalid(path, urlPath, `segment[${i}] may not be empty`));
    else for (const problem of checkDns1123Subdomain(segment)) errors.push(invalid(path, urlPath, `segment[${i}]: ${problem}`));
  }
  return errors;
}
