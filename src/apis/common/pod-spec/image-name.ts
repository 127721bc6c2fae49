// Upstream: k8s.io/kubernetes/pkg/util/parsers/parsers.go
const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(`^${domain}/(${pathComponent}(?:/${pathComponent})*)(?::(\\w[\\w.-]{0,127}))?(?:@(${digest}))?$`);
const bareIdentifier = /^[a-f0-9]{64}$/;
const maxPathLength = 255;
const defaultTag = 'latest';

/** The tag of an image: `latest` when neither tag nor digest is given, undefined when there is none or the name does not parse. */
export function imageTag(image: string): string | undefined {
  if (bareIdentifier.test(image)) return undefined;
  const match = reference.exec(normalized(image));
  if (match === null || (match[1] as string).length > maxPathLength) return undefined;
  return match[2] ?? (match[3] === undefined ? defaultTag : undefined);
}

/** With the default registry spelled out, so that the first component is always a host. */
function normalized(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  return isHost ? image : `docker.io/${slash < 0 ? 'library/' : ''}${image}`;
}
