// Upstream: k8s.io/kube-openapi/pkg/generators/openapi.go
// Its output is read here.
import type { DescriptionTable } from '../../src/openapi/descriptions.ts';

/** Modules whose types stand in documents and tables; the rest are configuration files. */
const published = /^k8s\.io\/(api|apimachinery|apiextensions-apiserver|kube-aggregator)\//;

const importLine = /^\t(\w+) "(k8s\.io\/[^"]+)"$/gm;
const entryLine = /^\t\t(\w+)\.(\w+)\{\}\.OpenAPIModelName\(\): +(schema_\w+)\(ref\),$/gm;
const functionLine = /^func (schema_\w+)\(/;
const propertyLine = /^\t{5}"([^"]+)": \{$/;
const descriptionLine = /^(\t+)Description: +(".*"),$/;
const depthOfType = 4;
const depthOfField = 7;

/** The descriptions in a generated file of OpenAPI definitions: one function for each type, formatted by gofmt. */
export function readDefinitions(source: string): DescriptionTable {
  const names = typeNames(source);
  const table: Record<string, Record<string, string>> = {};
  let row: Record<string, string> | undefined;
  let property = '';
  for (const line of source.split('\n')) {
    const described = descriptionLine.exec(line);
    const start = functionLine.exec(line)?.[1];
    if (start !== undefined) {
      const name = names.get(start);
      row = name === undefined ? undefined : (table[name] = {});
      property = '';
    } else if (described !== null) {
      const depth = described[1]?.length;
      // A type that differs between the two versions of OpenAPI has its text twice.
      if (row === undefined || (depth !== depthOfType && depth !== depthOfField)) continue;
      row[depth === depthOfType ? '' : property] ??= JSON.parse(described[2] as string) as string;
    } else {
      property = propertyLine.exec(line)?.[1] ?? property;
    }
  }
  return table;
}

/** The name of the function of a type -> the type's name in documents, e.g. `io.k8s.api.core.v1.Pod`. */
function typeNames(source: string): Map<string, string> {
  const packages = new Map([...source.matchAll(importLine)].map(([, alias, path]) => [alias, path]));
  const names = new Map<string, string>();
  for (const [, alias, type, name] of source.matchAll(entryLine)) {
    const path = packages.get(alias);
    if (path === undefined || !published.test(path)) continue;
    names.set(name as string, `io.k8s.${path.slice('k8s.io/'.length).replaceAll('/', '.')}.${type}`);
  }
  return names;
}
