// Upstream: apimachinery/pkg/runtime/{error.go,serializer/json/json.go}

/** Throws unless a plugin's configuration says that it is the `Configuration` of a version that is known. */
export function requireKind(configuration: unknown, group: string, versions: readonly string[]): void {
  const { apiVersion, kind } = (configuration ?? {}) as { apiVersion?: string; kind?: string };
  if (!kind) throw new Error(`Object 'Kind' is missing in '${JSON.stringify(configuration)}'`);
  if (!apiVersion) throw new Error(`Object 'apiVersion' is missing in '${JSON.stringify(configuration)}'`);
  if (kind === 'Configuration' && versions.some((version) => apiVersion === `${group}/${version}`)) return;
  throw new Error(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}
