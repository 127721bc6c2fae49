// Upstream: k8s.io/kubernetes/pkg/apis/apiserverinternal/validation/validation.go
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, required } from '../../../machinery/field.ts';
import type { NameRule } from '../../../machinery/names.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  checkQualifiedName,
  nameIsDnsSubdomain,
  regexMessage,
} from '../../../machinery/names.ts';
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from '../../../schema/types/apiserverinternal-v1alpha1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

export type StorageVersionObject = StorageVersion & KubeObject;

const statusPath = Path.root('status');
const commonPath = statusPath.child('commonEncodingVersion');
const empty = 'must be non-empty';
const malformed = `an apiVersion is ${regexMessage(
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123',
)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`;

/** `<group>.<resource>` */
export const validateName: NameRule = (name) => {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...checkDns1123Subdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...checkDns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
};

export function validateStatus({ status }: StorageVersionObject): FieldError[] {
  const servers = status.storageVersions ?? [];
  const repeats = repeatsIn(servers.map(({ apiServerID }) => apiServerID));
  return [
    ...servers.flatMap((server, index) => {
      const path = statusPath.child('storageVersions').index(index);
      const repeated = repeats.has(index) ? [duplicate(path.child('apiServerID'), server.apiServerID ?? '')] : [];
      return [...repeated, ...validateServer(server, path)];
    }),
    ...validateCommonVersion(status),
    ...validateConditions(status.conditions ?? []),
  ];
}

function validateServer(server: ServerStorageVersion, path: FieldPath): FieldError[] {
  const { apiServerID = '', encodingVersion = '', decodableVersions: decodable = [], servedVersions: served = [] } = server;
  const errors = nameIsDnsSubdomain(apiServerID, false).map((problem) => invalid(path.child('apiServerID'), apiServerID, problem));
  append(errors, validateApiVersion(encodingVersion, path.child('encodingVersion')));
  const decodablePath = path.child('decodableVersions');
  decodable.forEach((version, index) => append(errors, validateApiVersion(version, decodablePath.index(index))));
  if (!decodable.includes(encodingVersion)) {
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.push(invalid(decodablePath, server.decodableVersions ?? null, detail));
  }
  const known = new Set(decodable);
  const choices = decodable.join(' ');
  served.forEach((version, index) => {
    const at = path.child('servedVersions').index(index);
    append(errors, validateApiVersion(version, at));
    if (known.has(version)) return;
    const detail = `individual served version : ${version} must be included in decodableVersions : [${choices}]`;
    errors.push(invalid(at, version, detail));
  });
  return errors;
}

/** What all servers write with is said; that there is nothing of the kind is not. */
function validateCommonVersion({ storageVersions: servers = [], commonEncodingVersion: said }: StorageVersionStatus): FieldError[] {
  const versions = new Set(servers.map(({ encodingVersion = '' }) => encodingVersion));
  const [actual] = versions.size === 1 ? versions : [];
  if (actual === said) return [];
  if (actual === undefined) {
    const detail =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    return [invalid(commonPath, said, detail)];
  }
  if (said === undefined) return [invalid(commonPath, null, `the common encoding version is ${actual}`)];
  return [invalid(commonPath, said, `the actual common encoding version is ${actual}`)];
}

/** The path leaves out that these are conditions, as in upstream. */
function validateConditions(conditions: readonly StorageVersionCondition[]): FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap(({ type, status, reason, message }, index) => {
    const path = statusPath.index(index);
    const errors: FieldError[] = [];
    const other = seen.get(type);
    if (other !== undefined) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${other}]`;
      errors.push(invalid(path.child('type'), type, detail));
    }
    seen.set(type, index);
    append(
      errors,
      checkQualifiedName(type).map((problem) => invalid(path.child('type'), type, problem)),
    );
    append(
      errors,
      checkQualifiedName(status).map((problem) => invalid(path.child('status'), status, problem)),
    );
    if (reason === '') errors.push(required(path.child('reason'), ''));
    if (!message) errors.push(required(path.child('message'), ''));
    return errors;
  });
}

function validateApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  const problems = apiVersionProblems(apiVersion);
  return problems.length === 0 ? [] : [invalid(path, apiVersion, problems.join(','))];
}

function apiVersionProblems(apiVersion: string): readonly string[] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [malformed];
  const version = parts.at(-1) as string;
  const group = parts.length === 2 ? parts[0] : undefined;
  const groupProblems = group === undefined ? [] : group === '' ? [empty] : checkDns1123Subdomain(group);
  const versionProblems = version === '' ? [empty] : checkDns1035Label(version);
  return [...groupProblems.map((problem) => `group part: ${problem}`), ...versionProblems.map((problem) => `version part: ${problem}`)];
}
