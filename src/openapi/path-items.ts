// Upstream: k8s.io/kube-openapi/pkg/{builder,builder3}/openapi.go
import type { GroupVersionKind } from '../machinery/type-model.ts';
import type { Descriptions } from './descriptions.ts';
import type { Method, Parameter, Route } from './route.ts';
import { methods } from './route.ts';

/** Operations by path and method; what all operations of a path take stands once, at the path. */
export function pathItems(
  routes: readonly Route[],
  writeOperation: (route: Route, shared: ReadonlySet<string>) => object,
  writeParameter: (parameter: Parameter) => object,
): Record<string, object> {
  const byPath = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    let operations = byPath.get(route.path);
    if (operations === undefined) byPath.set(route.path, (operations = new Map()));
    operations.set(route.method, route);
  }
  const paths = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    paths.map(([path, operations]) => {
      const common = commonParameters([...operations.values()]);
      const shared = new Set(common.map(keyOf));
      const item: Record<string, unknown> = {};
      for (const method of methods) {
        const route = operations.get(method);
        if (route !== undefined) item[method] = writeOperation(route, shared);
      }
      if (common.length > 0) item['parameters'] = common.map(writeParameter);
      return [path, item];
    }),
  );
}

function commonParameters(routes: readonly Route[]): readonly Parameter[] {
  const [first, ...others] = routes as [Route, ...Route[]];
  return first.parameters.filter((one) => others.every(({ parameters }) => parameters.some((other) => keyOf(other) === keyOf(one))));
}

/** Name and place tell parameters of a path apart. */
export function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

export function describeParameter({ description }: Parameter, descriptions: Descriptions): string | undefined {
  return typeof description === 'string' ? description : descriptions.ofField(...description);
}

/** The two forms write a kind in different orders. */
export function kubernetesExtensions({ action, kind }: Route, show: (kind: GroupVersionKind) => GroupVersionKind): object {
  return {
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && { 'x-kubernetes-group-version-kind': show(kind) }),
  };
}

export function declaredKind({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

/** In the order of its keys. */
export function shownKind({ group, kind, version }: GroupVersionKind): GroupVersionKind {
  return { group, kind, version };
}
