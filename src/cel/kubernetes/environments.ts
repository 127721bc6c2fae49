// Upstream: k8s.io/apiserver/pkg/cel/environment/base.go, k8s.io/apiserver/pkg/apis/cel/config.go

import type { Library } from '../declarations.ts';
import { Environment } from '../environment.ts';
import { comprehensionsLibrary } from '../libraries/comprehensions.ts';
import { listsLibrary } from '../libraries/lists.ts';
import { optionalLibrary } from '../libraries/optional.ts';
import { setsLibrary } from '../libraries/sets.ts';
import { standardLibrary } from '../libraries/standard.ts';
import { stringsLibrary } from '../libraries/strings.ts';
import { authorizerLibrary, authorizerSelectorsLibrary } from './authorizer.ts';
import { kubernetesCosts } from './call-costs.ts';
import { formatLibrary } from './formats.ts';
import { jsonPatchLibrary } from './json-patch.ts';
import { kubernetesListsLibrary } from './lists.ts';
import { cidrLibrary, ipLibrary } from './networks.ts';
import { quantityLibrary } from './quantities.ts';
import { regexLibrary } from './regex.ts';
import { semverLibrary } from './semver.ts';
import { urlsLibrary } from './urls.ts';

/** What one expression may cost at run time. */
export const perCallLimit = 1_000_000;
/** What all expressions of one custom resource, or of one policy, may cost together at run time. */
export const runtimeBudget = 10_000_000;
/** The same for the match conditions of one webhook. */
export const matchConditionsBudget = 2_500_000;
/** Static limits for rules of a custom resource definition: of one expression, and of the whole schema. */
export const staticRuleLimit = 10_000_000;
export const staticSchemaLimit = 100_000_000;
export const maxRequestSize = 3 * 1024 * 1024;
export const maxMessageSize = 5 * 1024;

interface Versioned {
  readonly library: Library;
  /** Minor release of Kubernetes that brought it, and the one that replaced it. */
  readonly since: number;
  readonly until?: number;
}

const versionedLibraries: readonly Versioned[] = [
  { library: standardLibrary, since: 0 },
  { library: urlsLibrary, since: 0 },
  { library: regexLibrary, since: 0 },
  { library: kubernetesListsLibrary(0), since: 0, until: 37 },
  { library: authorizerLibrary, since: 27 },
  { library: optionalLibrary, since: 28 },
  { library: quantityLibrary, since: 28 },
  { library: stringsLibrary(2), since: 29 },
  { library: setsLibrary, since: 29 },
  { library: ipLibrary, since: 30 },
  { library: cidrLibrary, since: 30 },
  { library: formatLibrary, since: 31 },
  { library: authorizerSelectorsLibrary, since: 31 },
  { library: comprehensionsLibrary, since: 32 },
  { library: semverLibrary, since: 33 },
  { library: listsLibrary, since: 34 },
  { library: kubernetesListsLibrary(1), since: 37 },
  { library: kubernetesCosts, since: 0 },
];

const release = 37;

/**
 * New expressions may use only what the release before already knew, so that a rollback can still read them; expressions that
 * are stored may use everything.
 */
export type Use = 'new' | 'stored';

const makeEnvironment = (minor: number, extra: readonly Library[] = []): Environment =>
  new Environment({
    libraries: [
      ...versionedLibraries
        .filter(({ since, until }) => since <= minor && (until === undefined || minor < until))
        .map(({ library }) => library),
      ...extra,
    ],
    crossTypeComparisons: true,
    presenceTestCost: 0,
    validatesLiterals: true,
  });

const base: Readonly<Record<Use, Environment>> = { new: makeEnvironment(release - 1), stored: makeEnvironment(release) };
const patches: Readonly<Record<Use, Environment>> = {
  new: makeEnvironment(release - 1, [jsonPatchLibrary]),
  stored: makeEnvironment(release, [jsonPatchLibrary]),
};

/** The functions that every expression in Kubernetes has; variables and types are added with `extend`. */
export const baseEnvironment = (use: Use): Environment => base[use];

/** The base with functions that only one use has; made anew with each call. */
export const environmentWith = (use: Use, libraries: readonly Library[]): Environment =>
  makeEnvironment(use === 'new' ? release - 1 : release, libraries);

/** The base for mutating admission policies, which also have `jsonpatch.escapeKey`. */
export const patchEnvironment = (use: Use): Environment => patches[use];
