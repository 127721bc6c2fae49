// Upstream: k8s.io/kubernetes/pkg/util/parsers/parsers.go
const DOMAIN_COMPONENT = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${DOMAIN_COMPONENT}(?:\\.${DOMAIN_COMPONENT})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(`^${DOMAIN}/(${PATH_COMPONENT}(?:/${PATH_COMPONENT})*)(?::(\\w[\\w.-]{0,127}))?(?:@(${DIGEST}))?$`);
const bareIdentifier = /^[a-f0-9]{64}$/;
const MAX_PATH_LENGTH = 255;
const DEFAULT_TAG = 'latest';

/** The tag of an image: `latest` when neither tag nor digest is given, undefined when there is none or the name does not parse. */
export function imageTag(image: string): string | undefined {
  if (bareIdentifier.test(image)) return undefined;
  const match = reference.exec(normalized(image));
  if (match === null || (match[1] as string).length > MAX_PATH_LENGTH) return undefined;
  return match[2] ?? (match[3] === undefined ? DEFAULT_TAG : undefined);
}

/** With the default registry spelled out, so that the first component is always a host. */
function normalized(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  return isHost ? image : `docker.io/${slash < 0 ? 'library/' : ''}${image}`;
}
