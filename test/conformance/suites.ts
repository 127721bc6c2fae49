/** A suite of others, or one that is judged by upstream's own words. */
export interface ConformanceSuite {
  readonly name: string;
  /** whose tests or programs they are */
  readonly of: string;
  /** the npm script that runs it on upstream and on ours */
  readonly script: string;
  readonly parameters?: readonly string[];
  /** takes `--folder`, and goes on from what is there */
  readonly goesOn?: boolean;
  /** beside a clone */
  readonly needs: string;
  /** what was counted: the last line that matches, or all of them added up */
  readonly count: Count;
}

/** Lines with groups `passed` and `failed`, or `passed` and `total`. */
export interface Count {
  readonly line: RegExp;
  readonly adds?: boolean;
  /** what one of them is */
  readonly unit: string;
  /** what passed on upstream itself, where that is not all of it */
  readonly upstream?: RegExp;
}

const programs = 'programs';
const withGo = 'programs, Go';
const passedAndFailed = /^(?<passed>\d+) passed, (?<failed>\d+) failed/;
const passedOnUpstream = /^upstream +(?<passed>\d+) of (?<total>\d+) in all/;
const theSame = /^(?<passed>\d+) of (?<total>\d+) the same/;

export const conformanceSuites: readonly ConformanceSuite[] = [
  {
    name: 'recorded answers',
    of: 'kube-apiserver',
    script: 'test:parity',
    needs: 'nothing',
    count: { line: passedAndFailed, unit: 'cases' },
  },
  {
    name: 'manifests',
    of: 'public projects',
    script: 'test:manifests',
    parameters: ['--limit', '12'],
    needs: withGo,
    count: { line: passedAndFailed, unit: 'lives of objects' },
  },
  {
    name: 'kubectl and client-go',
    of: 'kubectl, client-go',
    script: 'test:clients',
    needs: withGo,
    count: { line: /^kubectl: (?<passed>\d+) of (?<total>\d+) commands/, unit: 'commands' },
  },
  {
    name: "kubectl's shell suite",
    of: 'Kubernetes, test/cmd',
    script: 'test:kubectl-shell',
    needs: withGo,
    goesOn: true,
    count: { line: passedAndFailed, unit: 'functions', upstream: passedOnUpstream },
  },
  {
    name: 'e2e specs',
    of: 'Kubernetes, test/e2e',
    script: 'test:e2e',
    needs: programs,
    goesOn: true,
    count: { line: passedAndFailed, unit: 'specs', upstream: passedOnUpstream },
  },
  {
    name: 'integration tests',
    of: 'Kubernetes, test/integration',
    script: 'test:integration',
    needs: withGo,
    goesOn: true,
    count: { line: passedAndFailed, unit: 'tests' },
  },
  { name: 'helm', of: 'helm', script: 'test:helm', needs: programs, count: { line: theSame, unit: 'commands' } },
  {
    name: 'clients of other languages',
    of: 'the Python, Java, Rust and Go clients',
    script: 'test:examples',
    needs: 'the languages',
    count: { line: passedAndFailed, unit: 'projects' },
  },
  {
    name: 'sample-apiserver',
    of: 'sample-apiserver',
    script: 'test:aggregation',
    needs: programs,
    count: { line: theSame, unit: 'requests' },
  },
  { name: 'kubelets', of: 'kwok', script: 'test:kubelets', needs: programs, count: { line: theSame, unit: 'requests' } },
  {
    name: 'HTTP/2',
    of: 'h2spec',
    script: 'test:h2spec',
    needs: withGo,
    count: { line: passedAndFailed, unit: 'cases' },
  },
  {
    name: 'controller-runtime',
    of: 'controller-runtime',
    script: 'test:controller-runtime',
    needs: withGo,
    count: {
      line: /^ours +(?<passed>\d+) passed, (?<failed>\d+) failed/,
      unit: 'tests',
      upstream: /^upstream +(?<passed>\d+) passed, (?<failed>\d+) failed/,
    },
  },
  {
    name: 'shared etcd',
    of: 'kube-apiserver, etcd',
    script: 'test:interop',
    needs: programs,
    count: { line: /^. .*: (?<passed>\d+) of (?<total>\d+) resources/, adds: true, unit: 'resources' },
  },
  {
    name: 'CEL',
    of: 'cel-spec',
    script: 'test',
    parameters: ['test/cel/conformance.test.ts'],
    needs: 'nothing',
    count: { line: /^ +(?<passed>\d+) passed, (?<failed>\d+) failed$/, adds: true, unit: 'expressions' },
  },
];
