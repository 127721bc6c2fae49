// Upstream: k8s.io/apiserver/pkg/endpoints/openapi/openapi.go#GetOperationIDAndTags

/** `deletecollection` is not among them: upstream finds the shorter `delete` first, which makes it `deleteCoreV1Collection...`. */
const verbs = ['replace', 'connect', 'delete', 'create', 'patch', 'watch', 'proxy', 'read', 'list', 'get', 'log'] as const;

export interface OperationNames {
  readonly operationId: string;
  readonly tags: readonly string[];
}

/** `listNamespacedPod` at `/api/v1/...` is `listCoreV1NamespacedPod`: the group version goes between verb and kind. */
export function operationNames(operation: string, path: string): OperationNames {
  const verb = verbs.find((one) => operation.startsWith(one)) ?? '';
  let parts = path.replace(/^\/|\/$/g, '').split('/');
  if (parts[0] === 'api') parts = ['apis', 'core', ...parts.slice(1)];
  const rest = camel(operation.slice(verb.length), true);
  if (parts[0] !== 'apis' || parts.length < 2) return { operationId: verb + rest, tags: [camel(parts[0] as string, false)] };
  const group = (parts[1] as string).replace(/\.k8s\.io$/, '');
  const version = parts[2];
  if (version === undefined) return { operationId: verb + camel(group, true) + rest, tags: [camel(group, false)] };
  return {
    operationId: verb + camel(group, true) + camel(version, true) + rest,
    tags: [`${camel(group, false)}_${camel(version, false)}`],
  };
}

/** Letters, digits and underscores stay; whatever else there is makes the next letter a capital. */
function camel(text: string, capital: boolean): string {
  let out = '';
  let raise = capital;
  for (const [index, char] of [...text].entries()) {
    if (/[\p{L}_]/u.test(char) || (index > 0 && /\p{Nd}/u.test(char))) {
      out += raise ? char.toUpperCase() : char;
      raise = false;
    } else {
      raise = true;
    }
  }
  return out;
}
